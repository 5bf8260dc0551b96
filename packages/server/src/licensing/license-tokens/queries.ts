import { many, statement } from '../../database/index.ts';

export interface SigningKeyRow {
  id: string;
  public_key: string;
  private_key: Buffer;
  is_active: boolean;
}

/**
 * The active key and those whose tokens may still be valid. A retired key is kept one hour longer than the last token
 * it can have signed, because other processes sign with it for a few more seconds and clocks differ. It is kept for at
 * least the day for which responses are stored, because those are signed again with the same key.
 */
export const listSigningKeys = statement({
  name: 'list_signing_keys',
  parameters: { tokenLifeSeconds: 'integer' },
  returns: many<SigningKeyRow>(),
  sql: ({ tokenLifeSeconds }) => `
    select id, public_key, private_key, retired_at is null as is_active from license_signing_keys
    where retired_at is null
      or retired_at > clock_timestamp() - (greatest(${tokenLifeSeconds}, 86400) + 3600) * interval '1 second'
    order by created_at desc`,
});

/** Does nothing if another key is already active. */
export const insertSigningKey = statement({
  name: 'insert_signing_key',
  parameters: { id: 'text', publicKeyPem: 'text', encrypted: 'bytea' },
  sql: ({ id, publicKeyPem, encrypted }) => `
    insert into license_signing_keys (id, public_key, private_key, created_at)
    values (${id}, ${publicKeyPem}, ${encrypted}, clock_timestamp()) on conflict do nothing`,
});

export const updateSigningKeyRetired = statement({
  name: 'update_signing_key_retired',
  sql: () => 'update license_signing_keys set retired_at = clock_timestamp() where retired_at is null',
});
