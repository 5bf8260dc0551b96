import { Textarea, TextInput } from '@mantine/core';
import type { CreateOauthAppBody, OauthApp, OauthAppWithSecret } from '@seathold/client';
import { useState } from 'react';
import { api } from '../api/index.ts';
import { Choices, FormDialog, useAction } from '../ui/index.ts';
import { type AppScope, readScopes, ScopeFields } from './app-scopes.tsx';
import { useOauthAppsText } from './messages.ts';

const USUAL: readonly AppScope[] = ['read:profile', 'read:licenses', 'manage:licenses'];
const LIST = [['oauth-apps']] as const;

type Fields = Omit<CreateOauthAppBody, 'confidential'>;

/** Registers an app, and returns it with its secret. */
export function CreateApp(props: { isOpen: boolean; close: () => void; show: (app: OauthAppWithSecret) => void }) {
  const { isOpen, close, show } = props;
  const t = useOauthAppsText();
  const [kind, setKind] = useState<'confidential' | 'public'>('confidential');
  const create = useAction((body: CreateOauthAppBody) => api().oauthApps.create(body), {
    refreshes: LIST,
    succeeds: show,
    says: (_, { name }) => t('created_public', { name }),
  });
  return (
    <FormDialog
      title={t('create')}
      isOpen={isOpen}
      close={close}
      submit={t('create')}
      action={create}
      read={(form) => ({ ...readFields(form), confidential: kind === 'confidential' })}
    >
      <NameField />
      <Choices
        legend={t('kind')}
        name="kind"
        value={kind}
        choose={setKind}
        options={[
          { value: 'confidential', title: t('confidential'), text: t('confidential_text') },
          { value: 'public', title: t('public'), text: t('public_text') },
        ]}
      />
      <AddressesField uris={[]} />
      <ScopeFields chosen={USUAL} />
    </FormDialog>
  );
}

/** Changes an app's name, redirect URIs and scopes. */
export function EditApp({ app, isOpen, close }: { app: OauthApp; isOpen: boolean; close: () => void }) {
  const t = useOauthAppsText();
  const save = useAction((body: Fields) => api().oauthApps.update(app.id, body), { refreshes: LIST, says: t('saved') });
  return (
    <FormDialog title={t('edit')} isOpen={isOpen} close={close} submit={t('save')} action={save} read={readFields}>
      <NameField name={app.name} />
      <AddressesField uris={app.redirect_uris} />
      <ScopeFields chosen={app.scopes} />
    </FormDialog>
  );
}

function NameField({ name }: { name?: string }) {
  const t = useOauthAppsText();
  return (
    <TextInput
      label={t('name')}
      description={t('name_hint')}
      name="name"
      defaultValue={name ?? ''}
      maxLength={100}
      required
      data-autofocus
    />
  );
}

function AddressesField({ uris }: { uris: readonly string[] }) {
  const t = useOauthAppsText();
  return (
    <Textarea
      label={t('redirect_uris')}
      description={t('redirect_uris_hint')}
      name="redirect_uris"
      rows={Math.max(2, uris.length)}
      defaultValue={uris.join('\n')}
      placeholder="https://app.example.com/callback"
      spellCheck={false}
      required
    />
  );
}

function readFields(form: FormData): Fields {
  return {
    name: String(form.get('name')).trim(),
    redirect_uris: String(form.get('redirect_uris'))
      .split(/\s+/)
      .filter((uri) => uri !== ''),
    scopes: readScopes(form),
  };
}
