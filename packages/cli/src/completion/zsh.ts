import type { Place, PlaceOption, Values } from './list-places.ts';

/** A script for zsh 5 and later, to be evaluated or saved as a file \`_seathold\` in a folder of \`fpath\`. */
export function createZshCompletion(places: readonly Place[]): string {
  return `#compdef seathold
# Completion of seathold for zsh. Made by \`seathold completion zsh\`.

_seathold() {
  local place= each i depth=0
  local -a commands
  for ((i = 2; i < CURRENT; i++)); do
    each=\${words[i]}
    case "$place $each" in
      ${places
        .filter(({ path }) => path.length > 0)
        .map((place) => `'${pathOf(place)}'`)
        .join(' | ')}) place+=" $each"; depth=$((i - 1)) ;;
    esac
  done
  words=("\${(@)words[depth + 1, -1]}")
  ((CURRENT -= depth))
  case $place in
${places.map(branch).join('\n')}
  esac
}

if [[ \${funcstack[1]} == _seathold ]]; then
  _seathold "$@"
else
  compdef _seathold seathold
fi
`;
}

function branch(place: Place): string {
  const specs = place.options.flatMap(specsOf);
  if (place.commands.length === 0) {
    return `    '${pathOf(place)}')\n      _arguments -s -S \\\n${indented([...specs, argumentSpec(place.argument)])}\n      ;;`;
  }
  const commands = place.commands.map(({ name, description }) =>
    quoted(`${name}:${description.replaceAll(':', '\\:')}`),
  );
  return `    '${pathOf(place)}')
      commands=(
        ${commands.join('\n        ')}
      )
      if [[ \${words[CURRENT]} == -* ]]; then
        _arguments -s -S \\
${indented(specs, '          ')}
      else
        _describe -t commands 'command' commands
      fi
      ;;`;
}

function indented(specs: readonly string[], margin = '        '): string {
  return specs.map((spec) => `${margin}${spec}`).join(' \\\n');
}

function specsOf({ names, description, takes, values }: PlaceOption): string[] {
  const told = description.replaceAll(/[[\]]/g, '\\$&');
  const follows = { none: '', value: ':value:', optional: '::value:', list: ':value:' }[takes];
  const action = takes === 'none' ? '' : actionOf(values);
  return names.map((name) => quoted(`${takes === 'list' ? '*' : ''}${name}[${told}]${follows}${action}`));
}

function argumentSpec(values: Values): string {
  return quoted(`*:argument:${actionOf(values)}`);
}

function actionOf(values: Values): string {
  return values === 'file' ? '_files' : values === 'anything' ? ' ' : `(${values.join(' ')})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function pathOf({ path }: Place): string {
  return path.map((name) => ` ${name}`).join('');
}
