import { isDeepStrictEqual } from 'node:util';

/** The wanted values that differ from the existing ones. */
export function differencesOf<Wanted extends object>(wanted: Wanted, present: object): Partial<Wanted> {
  const different = Object.entries(wanted).filter(
    ([name, value]) => !isDeepStrictEqual(plain(value), plain(Reflect.get(present, name) ?? null)),
  );
  return Object.fromEntries(different) as Partial<Wanted>;
}

/** Without prototypes, which JSON does not preserve. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
