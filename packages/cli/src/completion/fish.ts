import type { Place, PlaceOption, Values } from './list-places.ts';

/** A script for fish 3 and later, to be sourced or saved as `~/.config/fish/completions/seathold.fish`. */
export function createFishCompletion(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path.length > 0).map((place) => quoted(pathOf(place)));
  return `# Completion of seathold for fish. Made by \`seathold completion fish\`.

set -g __seathold_paths ${paths.join(' ')}

function __seathold_at
    set -l place ''
    for word in (commandline -opc)[2..-1]
        if contains -- "$place $word" $__seathold_paths
            set place "$place $word"
        end
    end
    test "$place" = "$argv[1]"
end

complete -c seathold -e
complete -c seathold -f
${places.flatMap(linesOf).join('\n')}
`;
}

function linesOf(place: Place): string[] {
  const at = `complete -c seathold -n ${quoted(`__seathold_at '${pathOf(place)}'`)}`;
  return [
    ...place.commands.map(({ name, description }) => `${at} -a ${name} -d ${quoted(description)}`),
    ...place.options.map((option) => `${at} ${optionFlags(option)} -d ${quoted(option.description)}`),
    ...(place.argument === 'file' ? [`${at} -F`] : []),
    ...(Array.isArray(place.argument) ? [`${at} -a ${quoted(place.argument.join(' '))}`] : []),
  ];
}

function optionFlags({ names, takes, values }: PlaceOption): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...flags, ...(takes === 'none' || takes === 'optional' ? [] : [valueFlags(values)])].join(' ');
}

function valueFlags(values: Values): string {
  return values === 'file' ? '-r -F' : values === 'anything' ? '-x' : `-x -a ${quoted(values.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function pathOf({ path }: Place): string {
  return path.map((name) => ` ${name}`).join('');
}
