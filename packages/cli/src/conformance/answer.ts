/** A response of a service. */
export interface Answer {
  /** The request, for messages. */
  what: string;
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  text: string;
  /** The parsed body; undefined if it is not JSON. */
  body: unknown;
  /** Whether the request had a token. */
  isAuthenticated: boolean;
}
