function __netwatch_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __netwatch_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __netwatch_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __netwatch_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __netwatch_parse_tokens -S
    set -l unparsed_tokens (__netwatch_tokens -pc)
    switch $unparsed_tokens[1]
    case 'netwatch'
        __netwatch_parse_subcommand 0 'config=' 'probe=+' 'no-probe' 'no-default-probes' 'each-address' 'interval=' 'traffic' 'watch-traffic=' 'i/interface=' 'family=' '4' '6' 'ca-file=' 'probe-timeout=' 'j/json' 'results' 'q/quiet' 'listen=' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'status'
            __netwatch_parse_subcommand 0 'config=' 'probe=+' 'no-probe' 'no-default-probes' 'each-address' 'interval=' 'traffic' 'watch-traffic=' 'i/interface=' 'family=' '4' '6' 'ca-file=' 'timeout=' 'probe-timeout=' 'j/json' 'socket=' 'alone' 'version' 'h/help'
        case 'wait'
            __netwatch_parse_subcommand 0 'for=' 'q/quiet' 'timeout=' 'config=' 'probe=+' 'no-probe' 'no-default-probes' 'each-address' 'interval=' 'traffic' 'watch-traffic=' 'i/interface=' 'family=' '4' '6' 'ca-file=' 'probe-timeout=' 'version' 'h/help'
        case 'explain'
            __netwatch_parse_subcommand 1 'config=' 'probe=+' 'no-probe' 'no-default-probes' 'each-address' 'interval=' 'traffic' 'watch-traffic=' 'i/interface=' 'family=' '4' '6' 'ca-file=' 'timeout=' 'j/json' 'version' 'h/help'
        case 'serve'
            __netwatch_parse_subcommand 0 'check' 'verbose' 'q/quiet' 'listen=' 'config=' 'probe=+' 'no-probe' 'no-default-probes' 'each-address' 'interval=' 'traffic' 'watch-traffic=' 'i/interface=' 'family=' '4' '6' 'ca-file=' 'probe-timeout=' 'j/json' 'version' 'h/help'
        case 'reload'
            __netwatch_parse_subcommand 0 'socket=' 'version' 'h/help'
        case 'events'
            __netwatch_parse_subcommand 0 'kind=+' 'target=+' 'about=+' 'socket=' 'version' 'h/help'
        case 'history'
            __netwatch_parse_subcommand 0 'since=' 'target=' 'j/json' 'csv' 'socket=' 'file=' 'version' 'h/help'
        case 'fleet'
            __netwatch_parse_subcommand 1 'broker=+' 'prefix=' 'user=' 'password-file=' 'certificate=' 'key=' 'heartbeat=' 'timeout=' 'ca-file=' 'j/json' 'version' 'h/help'
        case 'record'
            __netwatch_parse_subcommand 1 'limit=' 'config=' 'probe=+' 'no-probe' 'no-default-probes' 'each-address' 'interval=' 'traffic' 'watch-traffic=' 'i/interface=' 'family=' '4' '6' 'ca-file=' 'probe-timeout=' 'version' 'h/help'
        case 'replay'
            __netwatch_parse_subcommand 1 'version' 'h/help'
        case 'get'
            __netwatch_parse_subcommand 1 'o/output=' 'continue' 'v/verbose' 'pin=+' 'i/interface=' 'family=' '4' '6' 'timeout=' 'ca-file=' 'version' 'h/help'
        case 'help'
            __netwatch_parse_subcommand -r 1 'version'
        end
    end
end

function __netwatch_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __netwatch_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __netwatch_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __netwatch_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__netwatch_tokens -p)
    if test -z "$(__netwatch_tokens -t)"
        set -l index (count (__netwatch_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'netwatch' -f
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" config' -l 'config' -d 'Take targets and all else from this file, JSON or *.yaml (see Documentation/Configuration.md); other options go before it.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch"' -l 'probe' -d 'Probe this address (http, https, tcp, tls, dns, icmp) instead of the default ones, under a name of its own with NAME=URL; repeatable.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" no-probe' -l 'no-probe' -d 'Send no probe: tell only what the kernel knows, of all interfaces and both families.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" no-default-probes' -l 'no-default-probes' -d 'Ask no host but the targets, not even in doubt whether it is they or the way (1.1.1.1, 8.8.8.8, 9.9.9.9, connectivitycheck.gstatic.com).'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" each-address' -l 'each-address' -d 'Probe every address of each name (at most 16), and tell which of them do not answer.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" interval' -l 'interval' -d 'From one probe to the next while all is well (default: 60s).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" traffic' -l 'traffic' -d 'Put off probes of the default addresses while this host\'s own TCP connections show that the uplink works; looked at when one is due.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" watch-traffic' -l 'watch-traffic' -d 'Look at them every so often, too (500ms), so that an uplink that dies without a word is noticed between probes.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" i interface' -l 'interface' -s 'i' -d 'Send by this interface or not at all.' -rfka '(ls /sys/class/net)'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" family' -l 'family' -d 'The only family to use: ipv4 or ipv6.' -rfka 'ipv4 ipv6'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" 4' -s '4' -d 'The same as --family ipv4.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" 6' -s '6' -d 'The same as --family ipv6.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" ca-file' -l 'ca-file' -d 'Trust the authorities in this PEM file instead of the system\'s.' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" probe-timeout' -l 'probe-timeout' -d 'How long a probe may take (default: 3s).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" j json' -l 'json' -s 'j' -d 'Write JSON: one object a line.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" results' -l 'results' -d 'With --json: write a line for each probe that ends, too.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" q quiet' -l 'quiet' -s 'q' -d 'Write no events: for a program that only serves.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" listen' -l 'listen' -d 'Serve health and metrics over HTTP here; port 0 lets the kernel choose.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" version' -l 'version' -d 'Show the version.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch" -eq 1' -fa 'status' -d 'Tell the state now and end; the exit status says it to scripts.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch" -eq 1' -fa 'wait' -d 'Wait until this host is connected as asked for, or until the time is over.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch" -eq 1' -fa 'explain' -d 'Look at each step of the way to something, and say which is broken and what to try.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch" -eq 1' -fa 'serve' -d 'Watch as a service: by a file, with health and metrics over HTTP, and a log on standard output.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch" -eq 1' -fa 'reload' -d 'Have the service read its configuration anew, and tell what has changed or was refused.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch" -eq 1' -fa 'events' -d 'Follow the events of the service: one JSON object a line, the first with the state as it is.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch" -eq 1' -fa 'history' -d 'Tell how long what the service watches was up and down, and how its probes went.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch" -eq 1' -fa 'fleet' -d 'Follow many hosts by what they publish over MQTT, and tell at which level something is broken.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch" -eq 1' -fa 'record' -d 'Watch, print events as --json does, and write all that led to them to a file.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch" -eq 1' -fa 'replay' -d 'Print the events of a recorded run again, byte for byte, without waiting.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch" -eq 1' -fa 'get' -d 'Fetch an address, over a chosen interface if need be, and show where the time went.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" config' -l 'config' -d 'Take targets and all else from this file, JSON or *.yaml (see Documentation/Configuration.md); other options go before it.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status"' -l 'probe' -d 'Probe this address (http, https, tcp, tls, dns, icmp) instead of the default ones, under a name of its own with NAME=URL; repeatable.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" no-probe' -l 'no-probe' -d 'Send no probe: tell only what the kernel knows, of all interfaces and both families.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" no-default-probes' -l 'no-default-probes' -d 'Ask no host but the targets, not even in doubt whether it is they or the way (1.1.1.1, 8.8.8.8, 9.9.9.9, connectivitycheck.gstatic.com).'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" each-address' -l 'each-address' -d 'Probe every address of each name (at most 16), and tell which of them do not answer.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" interval' -l 'interval' -d 'From one probe to the next while all is well (default: 60s).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" traffic' -l 'traffic' -d 'Put off probes of the default addresses while this host\'s own TCP connections show that the uplink works; looked at when one is due.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" watch-traffic' -l 'watch-traffic' -d 'Look at them every so often, too (500ms), so that an uplink that dies without a word is noticed between probes.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" i interface' -l 'interface' -s 'i' -d 'Send by this interface or not at all.' -rfka '(ls /sys/class/net)'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" family' -l 'family' -d 'The only family to use: ipv4 or ipv6.' -rfka 'ipv4 ipv6'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" 4' -s '4' -d 'The same as --family ipv4.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" 6' -s '6' -d 'The same as --family ipv6.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" ca-file' -l 'ca-file' -d 'Trust the authorities in this PEM file instead of the system\'s.' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" timeout' -l 'timeout' -d 'Give up after this time (wait: 30s, explain: 3s, fleet status: 10s, else once it is clear).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" probe-timeout' -l 'probe-timeout' -d 'How long a probe may take (default: 3s).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" j json' -l 'json' -s 'j' -d 'Write JSON: one object a line.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" socket' -l 'socket' -d 'The Unix socket of the service (default: /run/netwatch/http.sock).' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" alone' -l 'alone' -d 'Look oneself, also where a service runs.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" version' -l 'version' -d 'Show the version.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" for' -l 'for' -d 'What to wait for: full, limited, portal, local, path, ethernet, wifi, wwan, the name of a target, or a URL (default: full).' -rfka 'full limited portal local path ethernet wifi wwan'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" q quiet' -l 'quiet' -s 'q' -d 'Say nothing of what is missing: the exit status tells it.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" timeout' -l 'timeout' -d 'Give up after this time (wait: 30s, explain: 3s, fleet status: 10s, else once it is clear).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" config' -l 'config' -d 'Take targets and all else from this file, JSON or *.yaml (see Documentation/Configuration.md); other options go before it.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait"' -l 'probe' -d 'Probe this address (http, https, tcp, tls, dns, icmp) instead of the default ones, under a name of its own with NAME=URL; repeatable.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" no-probe' -l 'no-probe' -d 'Send no probe: tell only what the kernel knows, of all interfaces and both families.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" no-default-probes' -l 'no-default-probes' -d 'Ask no host but the targets, not even in doubt whether it is they or the way (1.1.1.1, 8.8.8.8, 9.9.9.9, connectivitycheck.gstatic.com).'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" each-address' -l 'each-address' -d 'Probe every address of each name (at most 16), and tell which of them do not answer.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" interval' -l 'interval' -d 'From one probe to the next while all is well (default: 60s).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" traffic' -l 'traffic' -d 'Put off probes of the default addresses while this host\'s own TCP connections show that the uplink works; looked at when one is due.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" watch-traffic' -l 'watch-traffic' -d 'Look at them every so often, too (500ms), so that an uplink that dies without a word is noticed between probes.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" i interface' -l 'interface' -s 'i' -d 'Send by this interface or not at all.' -rfka '(ls /sys/class/net)'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" family' -l 'family' -d 'The only family to use: ipv4 or ipv6.' -rfka 'ipv4 ipv6'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" 4' -s '4' -d 'The same as --family ipv4.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" 6' -s '6' -d 'The same as --family ipv6.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" ca-file' -l 'ca-file' -d 'Trust the authorities in this PEM file instead of the system\'s.' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" probe-timeout' -l 'probe-timeout' -d 'How long a probe may take (default: 3s).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" version' -l 'version' -d 'Show the version.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch wait" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" config' -l 'config' -d 'Take targets and all else from this file, JSON or *.yaml (see Documentation/Configuration.md); other options go before it.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain"' -l 'probe' -d 'Probe this address (http, https, tcp, tls, dns, icmp) instead of the default ones, under a name of its own with NAME=URL; repeatable.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" no-probe' -l 'no-probe' -d 'Send no probe: tell only what the kernel knows, of all interfaces and both families.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" no-default-probes' -l 'no-default-probes' -d 'Ask no host but the targets, not even in doubt whether it is they or the way (1.1.1.1, 8.8.8.8, 9.9.9.9, connectivitycheck.gstatic.com).'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" each-address' -l 'each-address' -d 'Probe every address of each name (at most 16), and tell which of them do not answer.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" interval' -l 'interval' -d 'From one probe to the next while all is well (default: 60s).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" traffic' -l 'traffic' -d 'Put off probes of the default addresses while this host\'s own TCP connections show that the uplink works; looked at when one is due.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" watch-traffic' -l 'watch-traffic' -d 'Look at them every so often, too (500ms), so that an uplink that dies without a word is noticed between probes.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" i interface' -l 'interface' -s 'i' -d 'Send by this interface or not at all.' -rfka '(ls /sys/class/net)'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" family' -l 'family' -d 'The only family to use: ipv4 or ipv6.' -rfka 'ipv4 ipv6'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" 4' -s '4' -d 'The same as --family ipv4.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" 6' -s '6' -d 'The same as --family ipv6.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" ca-file' -l 'ca-file' -d 'Trust the authorities in this PEM file instead of the system\'s.' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" timeout' -l 'timeout' -d 'Give up after this time (wait: 30s, explain: 3s, fleet status: 10s, else once it is clear).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" j json' -l 'json' -s 'j' -d 'Write JSON: one object a line.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" version' -l 'version' -d 'Show the version.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch explain" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" check' -l 'check' -d 'Read the configuration, say what is wrong with it, and end.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" verbose' -l 'verbose' -d 'With --check: write each value, and where it is from.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" q quiet' -l 'quiet' -s 'q' -d 'Write no events: for a program that only serves.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" listen' -l 'listen' -d 'Serve health and metrics over HTTP here; port 0 lets the kernel choose.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" config' -l 'config' -d 'Take targets and all else from this file, JSON or *.yaml (see Documentation/Configuration.md); other options go before it.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve"' -l 'probe' -d 'Probe this address (http, https, tcp, tls, dns, icmp) instead of the default ones, under a name of its own with NAME=URL; repeatable.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" no-probe' -l 'no-probe' -d 'Send no probe: tell only what the kernel knows, of all interfaces and both families.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" no-default-probes' -l 'no-default-probes' -d 'Ask no host but the targets, not even in doubt whether it is they or the way (1.1.1.1, 8.8.8.8, 9.9.9.9, connectivitycheck.gstatic.com).'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" each-address' -l 'each-address' -d 'Probe every address of each name (at most 16), and tell which of them do not answer.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" interval' -l 'interval' -d 'From one probe to the next while all is well (default: 60s).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" traffic' -l 'traffic' -d 'Put off probes of the default addresses while this host\'s own TCP connections show that the uplink works; looked at when one is due.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" watch-traffic' -l 'watch-traffic' -d 'Look at them every so often, too (500ms), so that an uplink that dies without a word is noticed between probes.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" i interface' -l 'interface' -s 'i' -d 'Send by this interface or not at all.' -rfka '(ls /sys/class/net)'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" family' -l 'family' -d 'The only family to use: ipv4 or ipv6.' -rfka 'ipv4 ipv6'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" 4' -s '4' -d 'The same as --family ipv4.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" 6' -s '6' -d 'The same as --family ipv6.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" ca-file' -l 'ca-file' -d 'Trust the authorities in this PEM file instead of the system\'s.' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" probe-timeout' -l 'probe-timeout' -d 'How long a probe may take (default: 3s).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" j json' -l 'json' -s 'j' -d 'Write JSON: one object a line.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" version' -l 'version' -d 'Show the version.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch serve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch reload" socket' -l 'socket' -d 'The Unix socket of the service (default: /run/netwatch/http.sock).' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch reload" version' -l 'version' -d 'Show the version.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch reload" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch events"' -l 'kind' -d 'Only events of this kind, beside the first; repeatable.' -rfka 'transition path target uplink portal'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch events"' -l 'target' -d 'Only events about this target; repeatable.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch events"' -l 'about' -d 'Only events about this interface; repeatable.' -rfka '(ls /sys/class/net)'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch events" socket' -l 'socket' -d 'The Unix socket of the service (default: /run/netwatch/http.sock).' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch events" version' -l 'version' -d 'Show the version.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch events" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch history" since' -l 'since' -d 'How far back: 90m, 24h, 30d (default: 24h).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch history" target' -l 'target' -d 'Only this target.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch history" j json' -l 'json' -s 'j' -d 'Write JSON: one object a line.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch history" csv' -l 'csv' -d 'Write comma-separated values, with a header.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch history" socket' -l 'socket' -d 'The Unix socket of the service (default: /run/netwatch/http.sock).' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch history" file' -l 'file' -d 'Read this file, whether a service runs or not.' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch history" version' -l 'version' -d 'Show the version.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch history" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch fleet" -eq 1' -fka 'status'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch fleet"' -l 'broker' -d 'A broker, mqtts://HOST:PORT or mqtt://HOST:PORT; repeatable, tried in turn.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch fleet" prefix' -l 'prefix' -d 'What the topics begin with.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch fleet" user' -l 'user' -d 'The user\'s name at the broker.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch fleet" password-file' -l 'password-file' -d 'A file that begins with the user\'s password.' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch fleet" certificate' -l 'certificate' -d 'This client\'s certificate, PEM.' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch fleet" key' -l 'key' -d 'The certificate\'s key, PEM.' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch fleet" heartbeat' -l 'heartbeat' -d 'How often the hosts publish their state; three without a word are stale (default: 60s).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch fleet" timeout' -l 'timeout' -d 'Give up after this time (wait: 30s, explain: 3s, fleet status: 10s, else once it is clear).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch fleet" ca-file' -l 'ca-file' -d 'Trust the authorities in this PEM file instead of the system\'s.' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch fleet" j json' -l 'json' -s 'j' -d 'Write JSON: one object a line.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch fleet" version' -l 'version' -d 'Show the version.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch fleet" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch record" -eq 1' -F
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" limit' -l 'limit' -d 'End when the file would grow beyond this size: 500K, 64M, 2G (default: 256M). What it holds then is whole.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" config' -l 'config' -d 'Take targets and all else from this file, JSON or *.yaml (see Documentation/Configuration.md); other options go before it.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record"' -l 'probe' -d 'Probe this address (http, https, tcp, tls, dns, icmp) instead of the default ones, under a name of its own with NAME=URL; repeatable.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" no-probe' -l 'no-probe' -d 'Send no probe: tell only what the kernel knows, of all interfaces and both families.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" no-default-probes' -l 'no-default-probes' -d 'Ask no host but the targets, not even in doubt whether it is they or the way (1.1.1.1, 8.8.8.8, 9.9.9.9, connectivitycheck.gstatic.com).'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" each-address' -l 'each-address' -d 'Probe every address of each name (at most 16), and tell which of them do not answer.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" interval' -l 'interval' -d 'From one probe to the next while all is well (default: 60s).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" traffic' -l 'traffic' -d 'Put off probes of the default addresses while this host\'s own TCP connections show that the uplink works; looked at when one is due.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" watch-traffic' -l 'watch-traffic' -d 'Look at them every so often, too (500ms), so that an uplink that dies without a word is noticed between probes.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" i interface' -l 'interface' -s 'i' -d 'Send by this interface or not at all.' -rfka '(ls /sys/class/net)'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" family' -l 'family' -d 'The only family to use: ipv4 or ipv6.' -rfka 'ipv4 ipv6'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" 4' -s '4' -d 'The same as --family ipv4.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" 6' -s '6' -d 'The same as --family ipv6.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" ca-file' -l 'ca-file' -d 'Trust the authorities in this PEM file instead of the system\'s.' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" probe-timeout' -l 'probe-timeout' -d 'How long a probe may take (default: 3s).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" version' -l 'version' -d 'Show the version.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch record" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_positional "netwatch replay" -eq 1' -F
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch replay" version' -l 'version' -d 'Show the version.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch replay" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch get" o output' -s 'o' -l 'output' -d 'Write to this file, which is whole or untouched.' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch get" continue' -l 'continue' -d 'Go on with what an earlier try has left of the output file.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch get" v verbose' -s 'v' -l 'verbose' -d 'Show each request and its phases on standard error.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch get"' -l 'pin' -d 'Accept only a server with this public key: sha256//BASE64; repeatable.' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch get" i interface' -l 'interface' -s 'i' -d 'Send by this interface or not at all.' -rfka '(ls /sys/class/net)'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch get" family' -l 'family' -d 'The only family to use: ipv4 or ipv6.' -rfka 'ipv4 ipv6'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch get" 4' -s '4' -d 'The same as --family ipv4.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch get" 6' -s '6' -d 'The same as --family ipv6.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch get" timeout' -l 'timeout' -d 'Give up after this time (wait: 30s, explain: 3s, fleet status: 10s, else once it is clear).' -rfka ''
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch get" ca-file' -l 'ca-file' -d 'Trust the authorities in this PEM file instead of the system\'s.' -rF
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch get" version' -l 'version' -d 'Show the version.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch get" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'netwatch' -n '__netwatch_should_offer_completions_for_flags_or_options "netwatch help" version' -l 'version' -d 'Show the version.'
