/**
 * What one operation uses up: the caller, the resource that is removed, the code that is spent. All of it belongs to a
 * separate person.
 */
export interface Supply {
  token?: string;
  path?: Readonly<Record<string, string>>;
  fields?: Readonly<Record<string, string>>;
  /** Members of a good body that are only valid together. */
  members?: Readonly<Record<string, unknown>>;
}
