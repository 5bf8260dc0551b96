import type { ListDefinition, Route } from '../../src/http/index.ts';

/** Every list of the API, with each sort in both directions, without a filter and with each value of each filter. */
export function listRequests(routes: readonly Route[], ids: Readonly<Record<string, string>>): string[] {
  return routes.flatMap(({ path, list }) => {
    const queries = list === undefined ? [] : queriesOf(list);
    return queries.map((query) => `${fillIn(path, ids)}?limit=2&${query}`);
  });
}

function fillIn(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => required(ids, name));
}

function queriesOf(list: ListDefinition): string[] {
  const filters = Object.entries(list.filters).flatMap(([name, type]) =>
    valuesOf(name, type).map((value) => `&${name}=${value}`),
  );
  return Object.keys(list.sorts).flatMap((sort) =>
    [sort, `-${sort}`].flatMap((order) => ['', ...filters].map((filter) => `sort=${order}${filter}`)),
  );
}

function valuesOf(name: string, type: ListDefinition['filters'][string]): readonly string[] {
  switch (type.kind) {
    case 'time':
      return [name.endsWith('_before') ? '2036-01-01T00:00:00Z' : '2020-01-01T00:00:00Z'];
    case 'boolean':
      return ['true', 'false'];
    case 'integer':
      return ['0', '1000', '1000000'];
    case 'enum':
      return type.values;
    case 'text':
      return [required(TEXTS, name)];
  }
}

/** Values that some of the rows have, and most do not. */
const TEXTS: Readonly<Record<string, string>> = {
  organization_id: `org_${'0'.repeat(25)}1`,
  query: 'organization 7',
  number: 'CODE-7',
  provider_ref: 'pi_7',
  license_id: `lic_${'0'.repeat(26)}`,
  product: 'studio',
  key: 'A1B2C-3D4E5-F6G7H-8J9K4',
  external_id: 'crm-4711',
  currency: 'usd',
  plan_id: `plan_${'0'.repeat(26)}`,
  subscription_id: `sub_${'0'.repeat(26)}`,
  project_id: `proj_${'0'.repeat(26)}`,
  user_id: `usr_0${'0'.repeat(24)}7`,
  hardware_id: `hw_${'0'.repeat(31)}6`,
  action: 'member.removed',
  actor: `usr_0${'0'.repeat(24)}7`,
  actor_user_id: `usr_${'0'.repeat(26)}`,
  event_id: `evt_${'0'.repeat(26)}`,
  target_id: `usr_${'0'.repeat(26)}`,
};

function required(values: Readonly<Record<string, string>>, name: string): string {
  const value = values[name];
  if (value === undefined) {
    throw new Error(`there is nothing to ask ${name} for`);
  }
  return value;
}
