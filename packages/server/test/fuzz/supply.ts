/** What one operation uses up: who asks, which thing goes, which code is spent. All of it belongs to a person of its own. */
export interface Supply {
  token?: string;
  path?: Readonly<Record<string, string>>;
  fields?: Readonly<Record<string, string>>;
  /** Members of a good body that only fit together as a whole. */
  members?: Readonly<Record<string, unknown>>;
}
