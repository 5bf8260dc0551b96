/** The width of a value. The text before it takes the rest of a line that needs no scrolling. */
const WIDTH = 44;

/** The parts of a call for writing it as a program. */
export interface WrittenCall {
  resource: string;
  method: string;
  values: readonly unknown[];
  baseUrl: string;
  organizationId: string | undefined;
}

/** A call as a program with the client library. The token comes from the environment. */
export function formatTypeScript({ resource, method, values, baseUrl, organizationId }: WrittenCall): string {
  const options = [
    `  baseUrl: ${formatText(baseUrl)},`,
    '  token: process.env.SEATHOLD_TOKEN,',
    ...(organizationId === undefined ? [] : [`  organizationId: ${formatText(organizationId)},`]),
  ];
  const given = values.filter((value) => value !== undefined).map((value) => formatValue(value, ''));
  return [
    "import { Seathold } from '@seathold/client';",
    '',
    'const seathold = new Seathold({',
    ...options,
    '});',
    '',
    `const answer = await seathold.${resource}.${method}(${given.join(', ')});`,
  ].join('\n');
}

function formatValue(value: unknown, indent: string): string {
  if (typeof value === 'string') {
    return formatText(value);
  }
  if (typeof value !== 'object' || value === null) {
    return String(value);
  }
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((each) => formatValue(each, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([name, each]) => `${formatName(name)}: ${formatValue(each, inner)}`);
  const [start, end, space] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', ' '];
  if (members.length === 0) {
    return start + end;
  }
  const line = `${start}${space}${members.join(', ')}${space}${end}`;
  return line.length + indent.length <= WIDTH && !line.includes('\n')
    ? line
    : `${start}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${end}`;
}

function formatName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : formatText(name);
}

/** JSON escapes everything necessary; only the quotes differ. */
function formatText(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inside}'`;
}
