# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Completion of lkst's words for bash. Commands, verbs and options are those that
# the command's own --help shows, names those of the running kernel.

# The words that complete "lkst WORD...", the last of which is what is typed.
_lkst_words() {
	local command=${1-} verb=${2-} before
	case $#:$command in
	1:*) lkst help | sed -n 's/^  \([a-z]*\)\(, \([a-z]*\)\)\{0,1\} .*/\1 \3/p'; return ;;
	*:help) [ $# -gt 2 ] || _lkst_words ""; return ;;
	esac
	case ${*: -1} in
	-*)
		lkst "$command" --help | sed -n '/^ \{2,6\}-/p' | grep -o -e '--[a-z][a-z-]*' | sort -u
		return
		;;
	esac
	# Bash takes "--option=value" for three words.
	before=${*: -2:1}
	[ "$before" != = ] || before=${*: -3:1}
	case $#:$command in
	2:maskset | 2:buffer | 2:handler)
		lkst "$command" --help | sed -n 's/^  \(NAME, \)\{0,1\}\([a-z]\{1,\}\) .*/\2/p' | sort -u
		[ "$command" = handler ] || lkst list -n "${command}s"
		[ "$command" != maskset ] || echo disarm
		;;
	2:list) echo events handlers masksets buffers ;;
	*:list) [ "$verb" != events ] || lkst list -n events ;;
	2:start) lkst list -n masksets ;;
	3:handler) case $verb in create) echo count detail trigger ;; *) lkst list -n handlers ;; esac ;;
	3:maskset | 3:buffer) [ "$verb" = load ] || [ "$verb" = create ] || lkst list -n "${command}s" ;;
	4:maskset) case $verb in create) echo from ;; set) _lkst_patterns ;; esac ;;
	*:maskset) case $verb:${*: -2:1} in create:from) lkst list -n masksets ;; create:* | set:*) _lkst_patterns ;; esac ;;
	*:handler) case $verb in create | set) printf '%s=\n' detail match after every limit ratelimit action 'then' ;; esac ;;
	*:buffer) case $verb in create | set) printf '%s=\n' size packet mode ;; next) lkst list -n buffers ;; esac ;;
	*:record) case $before in -m | --maskset) lkst list -n masksets ;; esac ;;
	*:snapshot | *:print | *:stat | *:convert)
		case $command:$before in
		*:-b | *:--buffer) lkst list -n buffers ;;
		*:-e | *:--event) lkst list -n events ;;
		print:--format) echo text json csv ;;
		print:--time) echo boot wall delta ;;
		convert:--to) echo ctf lttng perfetto chrome text ;;
		esac
		;;
	esac 2>/dev/null
}

_lkst_patterns() { lkst list -n events | sed 's/$/=/'; echo syscalls=; }

_lkst() {
	local word=${COMP_WORDS[COMP_CWORD]} words
	[ "$word" != = ] || word=
	words=$(_lkst_words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	[ "${COMPREPLY[0]: -1}" != = ] || compopt -o nospace 2>/dev/null
}

complete -o default -F _lkst lkst
