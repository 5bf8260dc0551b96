import { DEFAULT_LIMIT, type FilterType, MAX_LIMIT } from '../lists/index.ts';
import type { Route } from '../route.ts';
import { type Components, nameOf, pascalCase } from './components.ts';
import { publishSchema } from './publish-schema.ts';

/** The query parameters of a route: its own, or those of its list. */
export function queryParameters(route: Route, components: Components): unknown[] {
  if (route.list === undefined) {
    return ownParameters(route, components);
  }
  const { sorts, filters, defaultSort } = route.list;
  return [
    ...PAGING.map((each) => components.parameter(each.name, each)),
    describeSort(defaultSort, Object.keys(sorts), components),
    ...Object.entries(filters).map(([name, type]) => describeFilter(name, type, components)),
  ];
}

function ownParameters({ query }: Route, components: Components): unknown[] {
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(query?.required?.includes(name) === true ? { required: true } : {}),
    schema: publishSchema(schema, components),
  }));
}

const parameter = (name: string, schema: unknown, description: string) => ({
  name,
  in: 'query',
  schema,
  description,
});

const PAGING = [
  parameter(
    'limit',
    { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    'The number of items per page.',
  ),
  parameter(
    'cursor',
    { type: 'string', maxLength: 2048 },
    '`next_cursor` of the previous page. Use the same sort and filters.',
  ),
];

/** Most lists can be sorted in the same few ways. */
function describeSort(standard: string, fields: readonly string[], components: Components): unknown {
  const words = [standard.replace(/^-/, 'descending_'), ...fields.filter((name) => !standard.endsWith(name))];
  const sortable = fields.flatMap((name) => [name, `-${name}`]);
  return components.parameter(
    `SortBy${nameOf(words)}`,
    parameter(
      'sort',
      { type: 'string', enum: sortable, default: standard },
      'Field to sort by. Prefix it with - for descending order.',
    ),
  );
}

/** A filter for a time or a text is the same in all lists that have it. */
function describeFilter(name: string, type: FilterType, components: Components): unknown {
  const described = parameter(name, publishSchema(filterSchema(type), components), filterDescription(name, type));
  return type.kind === 'time' || type.kind === 'text'
    ? components.parameter(`Filter${pascalCase(name)}`, described)
    : described;
}

function filterDescription(name: string, type: FilterType): string {
  if (type.kind === 'integer') {
    return 'Return only items after this number (exclusive).';
  }
  if (type.kind !== 'time') {
    return `Filter by \`${name}\`.`;
  }
  return name.endsWith('_before')
    ? 'Return only items before this time (exclusive).'
    : 'Return only items after this time (exclusive).';
}

function filterSchema(type: FilterType): unknown {
  switch (type.kind) {
    case 'time':
      return { type: 'string', format: 'date-time' };
    case 'text':
      return { type: 'string', maxLength: 255 };
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
      return { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
    case 'enum':
      return { type: 'string', enum: type.values, ...(type.title === undefined ? {} : { title: type.title }) };
  }
}
