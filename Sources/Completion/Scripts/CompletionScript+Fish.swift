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
