/// The completion scripts, which call the program for the completions of a word.
///
/// They are the same for every version: the program knows what can be completed.
package enum CompletionScript {
  /// The script of a shell.
  package static func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }
}

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

extension CompletionScript {
  /// For a file named `_tpick` in a folder of `fpath`, or to be sourced.
  static let zsh = #"""
    #compdef tpick
    # zsh completion for tpick: tpick completions zsh
    _tpick() {
      local program=${${(Q)words[1]}/#\~\//$HOME/} line entry kind state argument
      local -a answer values shown space
      line="${(j: :)words[1,CURRENT-1]} $QIPREFIX$PREFIX"
      answer=("${(@f)$(command $program __complete zsh $line 2>/dev/null)}")
      read -r kind state argument <<< $answer[1]
      for entry in ${answer[2,-1]}; do
        values+=("${entry%%$'\t'*}")
        shown+=("${entry#*$'\t'}")
      done
      [[ $state == open ]] && space=(-S "")
      local found=1
      if (($#values)); then
        # In the order of the program, and whatever the capitals.
        [[ "$shown" == *'  -- '* ]] && space+=(-l)
        compadd -V tpick -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' "${space[@]}" -d shown -a values && found=0
      fi
      [[ $kind != (words|command) && $PREFIX == --*=* ]] && compset -P '*='
      case $kind in
        files) _files && found=0 ;;
        filesEnding) _files -g "(#i)*.($argument)" && found=0 ;;
        directories) _files -/ && found=0 ;;
        command)
          local first=$words[(i)--exec]
          ((first > $#words)) && return 1
          shift first words
          ((CURRENT -= first))
          _normal && found=0
          ;;
      esac
      return found
    }
    if [[ $funcstack[1] == _tpick ]]; then
      _tpick "$@"
    else
      compdef _tpick tpick
    fi

    """#
}

extension CompletionScript {
  static let fish = #"""
    # fish completion for tpick: tpick completions fish
    function __tpick_complete
        set -l program (string replace -r '^~/' "$HOME/" -- (commandline -opc)[1])
        set -l line (commandline -cp | string collect)
        set -l answer (command $program __complete fish "$line" 2>/dev/null)
        set -l task (string split -m 2 ' ' -- $answer[1])
        printf '%s\n' $answer[2..-1]
        set -l word (commandline -ct)
        switch $task[1]
            case files
                __tpick_paths $word $task[3]
            case filesEnding
                set -l paths (__tpick_paths $word)
                string match -r -i '^[^\t]*(?:/|\.(?:'$task[3]'))(?:\t.*)?$' -- $paths
                or printf '%s\n' $paths
            case directories
                __tpick_paths $word $task[3] | string match -r '^[^\t]*/(?:\t.*)?$'
            case command
                complete -C -- "$task[3]"
        end
    end

    # The files that a word begins, behind what stands before their names in it.
    function __tpick_paths
        set -l word (string sub -s (math 1 + (string length -- "$argv[2]")) -- $argv[1])
        string replace -r '^' -- "$argv[2]" (complete -C "'' $word")
    end

    complete -c tpick -f -k -a '(__tpick_complete)'

    """#
}
