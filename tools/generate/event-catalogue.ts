import type { EventDefinition } from '../../packages/server/src/events/index.ts';
import type { Schema } from './schema-type.ts';

/** The page that tells receivers of every type of event: what it means, the members of its object, and an example. */
export function eventCatalogue(definitions: readonly EventDefinition[]): string {
  const sorted = definitions.toSorted((one, other) => (one.type < other.type ? -1 : 1));
  const contents = sorted.map((each) => `| [\`${each.type}\`](#${anchor(each.type)}) | ${cell(withPlan(each))} |`);
  const table = ['| Type | When |', '| --- | --- |', ...contents].join('\n');
  const header = definitions.some((each) => each.isPlanned === true) ? HEADER + PLANNED : HEADER;
  return `${[header, table, ...sorted.map(describeEvent)].join('\n\n')}\n`;
}

const HEADER = `<!-- Made by tools/generate.ts from the rooms' events.ts; never edited. -->

# Events

Everything of note that happens in an organization becomes an event, written in the same transaction as the change itself.
Read them at \`GET /v1/events\`; \`GET /v1/event-types\` has this catalogue in machine-readable form. Every event has this form:

\`\`\`json
{
  "id": "evt_01kagt2m8xf3q9wz5r7e6b4c1g",
  "type": "license.seat.acquired",
  "created": "2026-01-31T12:00:00.000Z",
  "data": { "object": {} },
  "organization_id": "org_01kagt2m8xf3q9wz5r7e6b4c1h"
}
\`\`\`

\`id\` is unique and sorts by time; use it to tell repetitions. \`data.object\` depends on the type. New members may be added to
an object at any time, so do not refuse those that you do not know; a type that will always have exactly the members shown
says so.`;

/** Said only where some type is marked so. */
const PLANNED = ` Types marked **not sent yet** are published so that receivers can be written for them: this version sends none.`;

/** A type that nothing announces yet is published so that receivers can be written for it. */
function withPlan({ description, isPlanned }: EventDefinition): string {
  return isPlanned === true ? `${description} (**Not sent yet.**)` : description;
}

function describeEvent(definition: EventDefinition): string {
  const { type, schema, example } = definition;
  // Through JSON, so that what is described is what is sent and not TypeBox's own marks.
  const plain: Schema = JSON.parse(JSON.stringify(schema));
  const rows = describeMembers(plain, '').map(
    ({ path, type: kind, notes }) => `| \`${path}\` | ${cell(kind)} | ${cell(notes)} |`,
  );
  return [
    `## ${type}`,
    withPlan(definition),
    ['| Member of `data.object` | Type | |', '| --- | --- | --- |', ...rows].join('\n'),
    `\`\`\`json\n${JSON.stringify(example, undefined, 2)}\n\`\`\``,
  ].join('\n\n');
}

interface Member {
  path: string;
  type: string;
  notes: string;
}

/** Members of members follow their parent, by their dotted path, also where the parent may be null. */
function describeMembers(schema: Schema, prefix: string): Member[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix + name;
    const isOptional = schema.required?.includes(name) !== true;
    const notes = [isOptional ? 'Optional.' : '', member.description ?? ''].join(' ').trim();
    const items = member.type === 'array' ? (member.items ?? {}) : undefined;
    return [
      { path, type: nameType(member), notes },
      ...(items === undefined ? describeMembers(objectIn(member), `${path}.`) : describeMembers(items, `${path}[].`)),
    ];
  });
}

function objectIn(schema: Schema): Schema {
  return (schema.anyOf ?? schema.oneOf)?.find((branch) => branch.properties !== undefined) ?? schema;
}

function nameType(schema: Schema & { format?: string }): string {
  if (schema.const !== undefined) {
    return `\`${String(schema.const)}\``;
  }
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) {
    return branches.map(nameType).join(' or ');
  }
  if (schema.type === 'array') {
    return `array of ${nameType(schema.items ?? {})}`;
  }
  return schema.format === 'date-time' ? 'timestamp' : String(schema.type ?? 'any');
}

/** The heading's anchor, as repositories' web pages make it. */
function anchor(type: string): string {
  return type.replaceAll(/[^a-z0-9_ -]/g, '').replaceAll(' ', '-');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
