import { Button, Group, Code as InlineCode, List, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { encode } from 'uqr';
import { api, useCurrentUser } from '../api/index.ts';
import { CopyId, Dialog, FormDialog, Section, Status, useAction } from '../ui/index.ts';
import { useAccountText } from './messages.ts';

/** Turns the second factor on, with a QR code, and off. */
export function TwoFactorPanel() {
  const t = useAccountText();
  const { two_factor_enabled: isOn } = useCurrentUser();
  const [isTurningOff, setTurningOff] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const setUp = useAction(() => api().auth.setUpTwoFactor());
  const enable = useAction((code: string) => api().auth.enableTwoFactor({ code }), {
    refreshes: [['me']],
    succeeds: ({ recovery_codes: given }) => setCodes(given),
  });
  const disable = useAction((body: { password: string; code: string }) => api().auth.disableTwoFactor(body), {
    refreshes: [['me']],
    says: t('turned_off'),
  });
  return (
    <Section title={t('two_factor')}>
      <Group justify="space-between" gap="sm">
        <Status tone={isOn ? 'success' : 'idle'}>{t(isOn ? 'two_factor_on' : 'two_factor_off')}</Status>
        {isOn ? (
          <Button variant="default" onClick={() => setTurningOff(true)}>
            {t('turn_off')}
          </Button>
        ) : (
          <Button loading={setUp.isPending} onClick={() => setUp.mutate(undefined)}>
            {t('turn_on')}
          </Button>
        )}
      </Group>
      <FormDialog
        title={t('two_factor')}
        isOpen={setUp.isSuccess}
        close={setUp.reset}
        submit={t('turn_on')}
        action={enable}
        read={(form) => String(form.get('code')).trim()}
      >
        <Text size="sm">{t('scan')}</Text>
        <QrCode text={setUp.data?.otpauth_url ?? ''} />
        <CopyId id={setUp.data?.secret ?? ''} />
        <TextInput label={t('code')} name="code" autoComplete="one-time-code" inputMode="numeric" required />
      </FormDialog>
      <FormDialog
        title={t('turn_off')}
        isOpen={isTurningOff}
        close={() => setTurningOff(false)}
        submit={t('turn_off')}
        action={disable}
        read={(form) => ({ password: String(form.get('password')), code: String(form.get('code')).trim() })}
        isDangerous
      >
        <PasswordInput label={t('current_password')} name="password" autoComplete="current-password" required />
        <TextInput label={t('code_or_recovery')} name="code" autoComplete="one-time-code" required />
      </FormDialog>
      <RecoveryCodes codes={codes} close={() => setCodes(undefined)} />
    </Section>
  );
}

function RecoveryCodes({ codes, close }: { codes: readonly string[] | undefined; close: () => void }) {
  const t = useAccountText();
  return (
    <Dialog
      opened={codes !== undefined}
      onClose={close}
      title={t('recovery')}
      closeButtonProps={{ 'aria-label': t('kept') }}
    >
      <Stack gap="md">
        <Text size="sm">{t('recovery_text')}</Text>
        <List listStyleType="none" style={{ columns: 2 }}>
          {codes?.map((code) => (
            <List.Item key={code}>
              <InlineCode>{code}</InlineCode>
            </List.Item>
          ))}
        </List>
        <Group justify="space-between">
          <CopyId id={codes?.join('\n') ?? ''} />
          <Button onClick={close}>{t('kept')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Black on white in any appearance: scanners expect it. */
function QrCode({ text }: { text: string }) {
  const t = useAccountText();
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={200}
      height={200}
      role="img"
      aria-label={t('qr')}
      shapeRendering="crispEdges"
      style={{ background: '#ffffff', marginInline: 'auto' }}
    >
      <path d={path} fill="#000000" />
    </svg>
  );
}
