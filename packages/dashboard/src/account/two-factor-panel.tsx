import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { encode } from 'uqr';
import { api, useCurrentUser } from '../api/index.ts';
import { CopyId, FormDialog, Section, Status, useAction } from '../ui/index.ts';
import { useAccountText } from './messages.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Turns the second factor on, with a QR code, and off. */
export function TwoFactorPanel() {
  const t = useAccountText();
  const { two_factor_enabled: isOn } = useCurrentUser();
  const [isTurningOff, setTurningOff] = useState(false);
  const [isRenewing, setRenewing] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const setUp = useAction(() => api().auth.setUpTwoFactor());
  const enable = useAction((code: string) => api().auth.enableTwoFactor({ code }), {
    refreshes: [['me']],
    succeeds: ({ recovery_codes: given }) => setCodes(given),
  });
  const disable = useAction((body: Proof) => api().auth.disableTwoFactor(body), {
    refreshes: [['me']],
    says: t('turned_off'),
  });
  const renew = useAction((body: Proof) => api().auth.renewRecoveryCodes(body), {
    succeeds: ({ recovery_codes: given }) => setCodes(given),
  });
  return (
    <Section title={t('two_factor')}>
      <Group justify="space-between" gap="sm">
        <Status tone={isOn ? 'success' : 'idle'}>{t(isOn ? 'two_factor_on' : 'two_factor_off')}</Status>
        {isOn ? (
          <Group gap="xs">
            <Button variant="default" onClick={() => setRenewing(true)}>
              {t('new_codes')}
            </Button>
            <Button variant="default" onClick={() => setTurningOff(true)}>
              {t('turn_off')}
            </Button>
          </Group>
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
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {t('key')}
          </Text>
          <CopyId id={setUp.data?.secret ?? ''} />
        </Group>
        <TextInput label={t('code')} name="code" autoComplete="one-time-code" inputMode="numeric" required />
      </FormDialog>
      <FormDialog
        title={t('turn_off')}
        isOpen={isTurningOff}
        close={() => setTurningOff(false)}
        submit={t('turn_off')}
        action={disable}
        read={readProof}
        isDangerous
      >
        <ProofFields />
      </FormDialog>
      <FormDialog
        title={t('new_codes')}
        isOpen={isRenewing}
        close={() => setRenewing(false)}
        submit={t('new_codes')}
        action={renew}
        read={readProof}
      >
        <Text size="sm">{t('new_codes_text')}</Text>
        <ProofFields />
      </FormDialog>
      <RecoveryCodes codes={codes} close={() => setCodes(undefined)} />
    </Section>
  );
}

/** The proof of the person's identity. */
interface Proof {
  password: string;
  code: string;
}

function readProof(form: FormData): Proof {
  return { password: String(form.get('password')), code: String(form.get('code')).trim() };
}

function ProofFields() {
  const t = useAccountText();
  return (
    <>
      <PasswordInput label={t('current_password')} name="password" autoComplete="current-password" required />
      <TextInput label={t('code_or_recovery')} name="code" autoComplete="one-time-code" required />
    </>
  );
}

/** Always black on white, because scanners expect it. */
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
