extension CompletionScript {
  /// For a folder in `fpath` under the name `_tpick`, or to be sourced.
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
