import { readFileSync } from 'node:fs';

type Json = Readonly<Record<string, unknown>>;

/** A line of a script, as explained in sdks/README.md. */
export interface VectorStep {
  readonly at: number;
  readonly request?: {
    readonly method: string;
    readonly path: string;
    readonly token?: string | null;
    readonly body?: Json;
  };
  readonly answer?: {
    readonly status: number;
    readonly data?: Json;
    readonly error?: Json;
    readonly raw?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly fail?: 'connection_failed' | 'timed_out';
  readonly event?: Json;
  readonly result?: string;
  readonly offline_result?: string;
  readonly ended?: true;
  readonly call?: 'release' | 'abort' | 'wake' | 'exit' | 'take_offline';
  readonly seconds?: number;
  readonly sleep_seconds?: number;
  readonly wall_jump_seconds?: number;
  readonly stored?: Json;
  readonly until?: true;
  readonly state?: string;
}

export interface VectorConfig {
  readonly base_url: string;
  readonly issuer: string;
  readonly audience: string;
  readonly license_key: string;
  readonly hardware_id: string;
  readonly tokens: readonly string[];
  readonly timeout_seconds: number;
  readonly random: number;
  readonly wall_ahead_ms: number;
  readonly metadata?: Json;
  readonly wait_seconds?: number;
  readonly offline_seconds?: number;
}

interface Vectors {
  readonly epoch: string;
  readonly config: VectorConfig;
  readonly texts: Readonly<Record<string, string>>;
  readonly tokens: ReadonlyArray<{
    name: string;
    token: string;
    now: number;
    expect: string;
    keys?: string;
    list?: string;
    session_id?: string;
  }>;
  readonly lists: ReadonlyArray<{
    name: string;
    list: string;
    expect: string;
    revoked: string[];
    keys?: string;
    after?: string;
  }>;
  readonly hardware_ids: ReadonlyArray<{ platform: string; output: string; machine_id: string; hardware_id: string }>;
  readonly scripts: ReadonlyArray<{
    name: string;
    config?: Partial<VectorConfig>;
    stored?: Json;
    steps: readonly VectorStep[];
  }>;
}

export const VECTORS: Vectors = JSON.parse(
  readFileSync(new URL('../../../sdks/keeper-vectors.json', import.meta.url), 'utf8'),
);

/** The value with each `@name` replaced by the text with that name. */
export function withTexts(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null), (_, each: unknown) =>
    typeof each === 'string' && each.startsWith('@') ? (VECTORS.texts[each.slice(1)] ?? each) : each,
  );
}

export function textOf(reference: string): string {
  return VECTORS.texts[reference.slice(1)] ?? reference;
}
