/** What a service answered. */
export interface Answer {
  /** The request, as messages name it. */
  what: string;
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  text: string;
  /** The parsed body; undefined where it is no JSON. */
  body: unknown;
  /** Whether the request carried a token. */
  isAuthenticated: boolean;
}
