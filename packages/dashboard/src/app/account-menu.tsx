import { Avatar, Menu, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { actingFor, logOut, useCurrentUser } from '../api/index.ts';
import { chooseLanguage, LANGUAGES, type Language, useLanguage } from '../i18n/index.ts';
import { useFacts } from './facts.ts';
import { useAppText } from './messages.ts';

const SCHEMES = [
  ['auto', 'appearance_auto'],
  ['light', 'appearance_light'],
  ['dark', 'appearance_dark'],
] as const;

/** The person, their language and appearance, and logout. */
export function AccountMenu() {
  const t = useAppText();
  const { name, email } = useCurrentUser();
  const { brand, environment, production_url: productionUrl, sandbox_url: sandboxUrl } = useFacts();
  const other = environment === 'sandbox' ? productionUrl : sandboxUrl;
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false} withinPortal={false} width={240}>
      <Menu.Target>
        <UnstyledButton pos="relative" style={{ borderRadius: '50%' }}>
          <Avatar name={name} size={32} color="brand" variant="filled" alt="" />
          <VisuallyHidden>{t('account_menu', { name })}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Menu.Label>
        {actingFor === undefined ? (
          <Menu.Item component={Link} to="/account">
            {t('account')}
          </Menu.Item>
        ) : (
          <Menu.Item component="a" href="/account">
            {t('account')}
          </Menu.Item>
        )}
        <Menu.Item component="a" href="/docs" target="_blank">
          {t('docs')}
        </Menu.Item>
        {brand.support_email !== '' && (
          <Menu.Item component="a" href={`mailto:${brand.support_email}`}>
            {t('support')}
          </Menu.Item>
        )}
        {other !== null && (
          <Menu.Item component="a" href={other}>
            {t(environment === 'sandbox' ? 'to_production' : 'to_sandbox')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Appearance />
        <Languages />
        <Menu.Divider />
        <Menu.Item onClick={() => void logOut()}>{t('log_out')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Appearance() {
  const t = useAppText();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label c="dimmed">{t('appearance')}</Menu.Label>
      <Menu.RadioGroup value={colorScheme} aria-label={t('appearance')}>
        {SCHEMES.map(([scheme, title]) => (
          <Menu.RadioItem key={scheme} value={scheme} onChange={() => setColorScheme(scheme)}>
            {t(title)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

function Languages() {
  const t = useAppText();
  const current = useLanguage();
  const languages = Object.entries(LANGUAGES) as Array<[Language, string]>;
  return (
    <>
      <Menu.Label c="dimmed">{t('language')}</Menu.Label>
      <Menu.RadioGroup value={current} aria-label={t('language')}>
        {languages.map(([language, name]) => (
          <Menu.RadioItem key={language} value={language} onChange={() => void chooseLanguage(language)}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
