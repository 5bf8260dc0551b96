import { Checkbox, Stack, Text } from '@mantine/core';
import type { OauthApp } from '@seathold/client';
import { useOauthAppsText } from './messages.ts';

export type AppScope = OauthApp['scopes'][number];

/** The message that explains each scope, in the order of the consent page. */
const TEXTS = {
  'read:profile': 'read_profile',
  'write:profile': 'write_profile',
  'read:projects': 'read_projects',
  'write:projects': 'write_projects',
  'read:org': 'read_org',
  'admin:org': 'admin_org',
  'read:licenses': 'read_licenses',
  'manage:licenses': 'manage_licenses',
} as const satisfies Record<AppScope, string>;

const SCOPES = Object.keys(TEXTS) as AppScope[];

/** The checkboxes of the scopes. `readScopes` reads them. */
export function ScopeFields({ chosen }: { chosen: readonly AppScope[] }) {
  const t = useOauthAppsText();
  return (
    <Checkbox.Group label={t('scopes')} description={t('scopes_hint')} defaultValue={[...chosen]}>
      <Stack gap={8} mt={8}>
        {SCOPES.map((scope) => (
          <ScopeCheckbox key={scope} scope={scope} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

export function readScopes(form: FormData): AppScope[] {
  const chosen = new Set(form.getAll('scopes'));
  return SCOPES.filter((scope) => chosen.has(scope));
}

/** A selectable scope with its description. */
export function ScopeCheckbox({ scope }: { scope: AppScope }) {
  const t = useOauthAppsText();
  return <Checkbox name="scopes" value={scope} label={<code>{scope}</code>} description={t(TEXTS[scope])} />;
}

/** Scopes with their descriptions. */
export function ScopeList({ scopes }: { scopes: readonly AppScope[] }) {
  const t = useOauthAppsText();
  return (
    <Stack gap={4}>
      {SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => (
        <Text key={scope} size="sm" component="div">
          {t(TEXTS[scope])} <code>{scope}</code>
        </Text>
      ))}
    </Stack>
  );
}
