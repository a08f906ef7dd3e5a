extension CompletionScript {
  /// For bash 4.4 and later, with bash-completion and without it.
  static let bash = #"""
    # bash completion for tpick: tpick completions bash
    _tpick() {
      local program=${1/#\~\//$HOME/} line=${COMP_LINE:0:COMP_POINT} word=$2 kind state argument file slash
      local -a answer
      COMPREPLY=()
      # A glob that nothing matches is no error here.
      shopt -q failglob && shopt -u failglob && trap 'shopt -s failglob; trap - RETURN' RETURN
      mapfile -t answer < <(command "$program" __complete bash "$line" "$word" 2>/dev/null)
      read -r kind state argument <<< "${answer[0]}"
      COMPREPLY=("${answer[@]:1}")
      [[ $state == open ]] && compopt -o nospace
      case $kind in
        files)
          if ((${#COMPREPLY[@]})); then
            # With subcommands: readline would take one for the folder of its name, so that files are quoted here.
            for file in "$word"*; do
              [[ -e $file || -L $file ]] || continue
              slash=
              [[ -d $file ]] && slash=/
              [[ " ${COMPREPLY[*]} " == *" $file "* ]] && file=./$file
              printf -v file %q "$file"
              COMPREPLY+=("$file$slash")
            done
            [[ ${#COMPREPLY[@]} == 1 && $COMPREPLY == */ ]] && compopt -o nospace
          else
            compopt -o bashdefault -o default
          fi
          ;;
        filesEnding)
          compopt -o filenames
          # A word with quotes or expansions in it is left to bash.
          if [[ $word != *[\'\"\\\$\`~\*\?\[]* ]]; then
            for file in "$word"*; do
              [[ -d $file || ${file,,} =~ \.($argument)$ ]] && [[ -e $file ]] && COMPREPLY+=("$file")
            done
          fi
          compopt -o bashdefault -o default
          ;;
        directories) compopt -o filenames -o dirnames ;;
        command)
          local first=0
          until [[ ${COMP_WORDS[first]} == --exec ]]; do
            ((++first <= COMP_CWORD)) || return
          done
          ((++first))
          if ((argument > 0 || first < COMP_CWORD)) && ! declare -F _command_offset > /dev/null; then
            compopt -o bashdefault -o default
          elif declare -F _command_offset > /dev/null; then
            _command_offset "$first"
          else
            mapfile -t COMPREPLY < <(compgen -c -- "$word")
          fi
          ;;
      esac
    }
    complete -F _tpick tpick

    """#
}
