import { Button } from '@mantine/core';
import type { OperatorLicense } from '@seathold/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { personalApi } from '../../api/index.ts';
import { useAction } from '../../ui/index.ts';
import { GuardedButton, ReasonDialog } from '../frame/index.ts';
import { ChangeLicense, ExtendLicense } from './change-license.tsx';
import { useStaffLicensesText } from './messages.ts';

type Asked = 'change' | 'extend' | Turn;
type Turn = 'suspend' | 'reinstate' | 'revoke';

/** What staff can do with a license. */
export function LicenseActions({ license }: { license: OperatorLicense }) {
  const t = useStaffLicensesText();
  const [asked, setAsked] = useState<Asked>();
  const { id, status, subscription_id: subscriptionId } = license;
  const close = () => setAsked(undefined);
  const isRevoked = status === 'revoked';
  return (
    <>
      <Button variant="default" component={Link} to={`/staff/explain?${new URLSearchParams({ license_id: id })}`}>
        {t('explain')}
      </Button>
      {!isRevoked && (
        <>
          <GuardedButton needs="support" variant="default" onClick={() => setAsked('change')}>
            {t('change')}
          </GuardedButton>
          {subscriptionId === null && license.expires_at !== null && (
            <GuardedButton needs="support" variant="default" onClick={() => setAsked('extend')}>
              {t('extend')}
            </GuardedButton>
          )}
          <GuardedButton
            needs="support"
            variant="default"
            onClick={() => setAsked(status === 'suspended' ? 'reinstate' : 'suspend')}
          >
            {t(status === 'suspended' ? 'reinstate' : 'suspend')}
          </GuardedButton>
          <GuardedButton needs="owner" variant="default" onClick={() => setAsked('revoke')}>
            {t('revoke')}
          </GuardedButton>
        </>
      )}
      {asked === 'change' && <ChangeLicense license={license} close={close} />}
      {asked === 'extend' && <ExtendLicense license={license} close={close} />}
      {(asked === 'suspend' || asked === 'reinstate' || asked === 'revoke') && (
        <TurnLicense turn={asked} license={license} close={close} />
      )}
    </>
  );
}

const CALLS = { suspend: 'suspendLicense', reinstate: 'reinstateLicense', revoke: 'revokeLicense' } as const;

function TurnLicense(props: { turn: Turn; license: OperatorLicense; close: () => void }) {
  const { turn, license, close } = props;
  const t = useStaffLicensesText();
  const action = useAction((reason: string) => personalApi().operator[CALLS[turn]](license.id, { reason }), {
    refreshes: [['staff', 'licenses']],
    says: t(`was_${turn}`),
  });
  return (
    <ReasonDialog
      title={t(`${turn}_title`, { key: license.key })}
      text={t(`${turn}_text`)}
      hint={t('reason_hint')}
      submit={t(turn)}
      close={close}
      action={action}
      isDangerous={turn !== 'reinstate'}
    />
  );
}
