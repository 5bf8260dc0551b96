import type { Place, Values } from './list-places.ts';

/** A script for bash 4 and later, which needs neither the command nor the package bash-completion at run time. */
export function createBashCompletion(places: readonly Place[]): string {
  const commands = places.filter((place) => place.commands.length > 0);
  const valued = places.flatMap((place) =>
    place.options
      .filter(({ takes }) => takes === 'value' || takes === 'list')
      .flatMap(({ names, values }) => names.map((name) => ({ key: `${pathOf(place)}|${name}`, values }))),
  );
  return `# Completion of seathold for bash. Made by \`seathold completion bash\`.

_seathold() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} path= each i
  COMPREPLY=()
  # bash makes a word of each =.
  if [[ $word == '=' ]]; then
    word=
  elif [[ $previous == '=' ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    each=\${COMP_WORDS[i]}
    if _seathold_values "$path|$each" > /dev/null; then
      ((i++))
    elif [[ " $(_seathold_commands "$path") " == *" $each "* ]]; then
      path+=" $each"
    fi
  done
  local values
  if values=$(_seathold_values "$path|$previous"); then
    _seathold_reply "$values"
  elif [[ $word == -* ]]; then
    _seathold_reply "$(_seathold_options "$path")"
  else
    values=$(_seathold_commands "$path")
    _seathold_reply "\${values:-$(_seathold_argument "$path")}"
  fi
}

_seathold_reply() {
  if [[ $1 == '<file>' ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word")
  fi
}

# What can follow an option; fails for a word that nothing has to follow.
_seathold_values() {
  case $1 in
${cases(valued.map(({ key, values }) => [key, wordsOf(values)]))}
    *) return 1 ;;
  esac
}

_seathold_commands() {
  case $1 in
${cases(commands.map((place) => [pathOf(place), place.commands.map(({ name }) => name).join(' ')]))}
  esac
}

_seathold_options() {
  case $1 in
${cases(places.map((place) => [pathOf(place), place.options.flatMap(({ names }) => names).join(' ')]))}
  esac
}

_seathold_argument() {
  case $1 in
${cases(places.filter(({ argument }) => argument !== 'anything').map((place) => [pathOf(place), wordsOf(place.argument)]))}
  esac
}

complete -F _seathold seathold
`;
}

function wordsOf(values: Values): string {
  return values === 'file' ? '<file>' : values === 'anything' ? '' : values.join(' ');
}

function pathOf({ path }: Place): string {
  return path.map((name) => ` ${name}`).join('');
}

/** One branch for all keys with the same words. */
function cases(pairs: ReadonlyArray<readonly [key: string, words: string]>): string {
  return [...Map.groupBy(pairs, ([, words]) => words)]
    .map(([words, same]) => `    ${same.map(([key]) => `'${key}'`).join(' | ')}) echo '${words}' ;;`)
    .join('\n');
}
