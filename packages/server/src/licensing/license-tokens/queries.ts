import type { Statement } from '../../database/index.ts';

export interface SigningKeyRow {
  id: string;
  public_key: string;
  private_key: Buffer;
  is_active: boolean;
}

/**
 * $1 the longest life of a token in seconds. A retired key is kept an hour longer than the last token it can have signed,
 * since other processes go on signing with it for some seconds and clocks differ, and never less than the day for which
 * answers are kept: those are signed again with the key that they name.
 */
export const LIST_SIGNING_KEYS: Statement<SigningKeyRow> = {
  name: 'list_signing_keys',
  text: `select id, public_key, private_key, retired_at is null as is_active from license_signing_keys
    where retired_at is null or retired_at > clock_timestamp() - (greatest($1::int, 86400) + 3600) * interval '1 second'
    order by created_at desc`,
};

/** $1 id, $2 public key, $3 sealed private key. Nothing happens when another key signs already. */
export const INSERT_SIGNING_KEY: Statement<never> = {
  name: 'insert_signing_key',
  text: `insert into license_signing_keys (id, public_key, private_key, created_at)
    values ($1, $2, $3, clock_timestamp()) on conflict do nothing`,
};

export const UPDATE_SIGNING_KEY_RETIRED: Statement<never> = {
  name: 'update_signing_key_retired',
  text: 'update license_signing_keys set retired_at = clock_timestamp() where retired_at is null',
};
