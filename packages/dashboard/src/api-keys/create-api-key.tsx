import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { CreateApiTokenBody, CreatedApiToken } from '@seathold/client';
import { api, useHasRole } from '../api/index.ts';
import { ScopeCheckbox } from '../oauth-apps/app-scopes.tsx';
import { FormDialog, useAction } from '../ui/index.ts';
import { useApiKeysText } from './messages.ts';

type Scope = CreateApiTokenBody['scopes'][number];

/** The result of the dialog after it has created a key. */
export type NewKey = Pick<CreatedApiToken, 'token' | 'scopes'>;

const SCOPES = [
  'read:profile',
  'read:licenses',
  'manage:licenses',
  'read:projects',
  'write:projects',
  'read:org',
] as const satisfies readonly Scope[];
const SCOPES_OF_BILLING = ['admin:org'] as const satisfies readonly Scope[];
const USUAL: ReadonlySet<Scope> = new Set(['read:licenses', 'manage:licenses']);
const DAYS = [30, 90, 365];
const DAY_MS = 86_400_000;

/** The dialog that creates an API key and returns its secret. */
export function CreateApiKey(props: { isOpen: boolean; close: () => void; show: (created: NewKey) => void }) {
  const { isOpen, close, show } = props;
  const t = useApiKeysText();
  const mayAdminister = useHasRole('billing');
  const create = useAction((body: CreateApiTokenBody) => api().apiTokens.create(body), {
    refreshes: [['api-keys'], ['quick-start']],
    succeeds: show,
  });
  const scopes: readonly Scope[] = mayAdminister ? [...SCOPES, ...SCOPES_OF_BILLING] : SCOPES;
  return (
    <FormDialog
      title={t('create')}
      isOpen={isOpen}
      close={close}
      submit={t('create')}
      action={create}
      read={(form) => readKey(form, scopes)}
    >
      <TextInput label={t('name')} description={t('name_hint')} name="name" maxLength={100} required data-autofocus />
      <Checkbox.Group label={t('scopes')} defaultValue={[...USUAL]}>
        <Stack gap={8} mt={6}>
          {scopes.map((scope) => (
            <ScopeCheckbox key={scope} scope={scope} />
          ))}
        </Stack>
      </Checkbox.Group>
      <NativeSelect
        label={t('expires')}
        name="days"
        defaultValue="90"
        data={[
          ...DAYS.map((count) => ({ value: String(count), label: t('expires_days', { count }) })),
          { value: '', label: t('expires_never') },
        ]}
      />
    </FormDialog>
  );
}

function readKey(form: FormData, scopes: readonly Scope[]): CreateApiTokenBody {
  const chosen = new Set(form.getAll('scopes'));
  const days = Number(form.get('days'));
  return {
    name: String(form.get('name')).trim(),
    scopes: scopes.filter((scope) => chosen.has(scope)),
    expires_at: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
  };
}
