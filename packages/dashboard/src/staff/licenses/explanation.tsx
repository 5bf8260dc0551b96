import { Stack, Text, Title } from '@mantine/core';
import type { LicenseSession, RefusalReason, SeatExplanation } from '@seathold/client';
import { LicenseStatus } from '../../licenses/license-status.tsx';
import { CopyId, FactList, Section, Status, Time, useNumber } from '../../ui/index.ts';
import { CustomerId, LinkedId } from '../frame/index.ts';
import { useStaffLicensesText } from './messages.ts';

/** Why a user can or cannot get a seat. */
export function Explanation({ explanation }: { explanation: SeatExplanation }) {
  const t = useStaffLicensesText();
  const number = useNumber();
  const { can_acquire: can, reasons, user, license, sessions, refusals } = explanation;
  return (
    <Stack gap="lg">
      <Section>
        <Stack gap="md">
          <Title order={2} size="h3">
            <Status tone={can ? 'success' : 'danger'}>{t(can ? 'can' : 'cannot', { name: user.name })}</Status>
          </Title>
          {reasons.map((reason) => (
            <Reason key={reason.code} reason={reason} />
          ))}
        </Stack>
      </Section>
      <Section title={t('facts')}>
        <FactList
          facts={[
            [t('user'), <LinkedId key="user" id={user.id} to={`/staff/users/${user.id}`} />],
            [t('email'), user.email],
            [t('role'), user.role === null ? t('no_member') : t(`role_${user.role}`)],
            [t('license'), <LinkedId key="license" id={license.id} to={`/staff/licenses/${license.id}`} />],
            [t('status'), <LicenseStatus key="status" status={license.status} />],
            [t('seats'), t('in_use', { used: number(license.active_seats), total: number(license.max_seats) })],
            [t('expires'), <Time key="expires" at={license.expires_at} isExact />],
            [t('customer'), <CustomerId key="customer" id={license.organization_id} />],
          ]}
        />
      </Section>
      {sessions.length > 0 && (
        <Section title={t('own_sessions')}>
          <Sessions sessions={sessions} />
        </Section>
      )}
      <Section title={t('refusals')}>
        {refusals.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('no_refusals')}
          </Text>
        ) : (
          <Stack gap={4}>
            {refusals.map(({ id, last_at: at, code, count }) => (
              <Text key={id} size="sm">
                <Time at={at} isExact /> · <code>{code}</code> · {t('times', { count })}
              </Text>
            ))}
          </Stack>
        )}
      </Section>
    </Stack>
  );
}

function Reason({ reason: { code, message, since, holders = [] } }: { reason: RefusalReason }) {
  const t = useStaffLicensesText();
  return (
    <div>
      <Text fw={500}>{message}</Text>
      <Text size="sm" c="dimmed">
        <code>{code}</code>
        {since !== null && (
          <>
            {' · '}
            {t('since')} <Time at={since} isExact />
          </>
        )}
      </Text>
      {holders.length > 0 && (
        <Stack gap={4} mt="xs">
          <Text size="sm" fw={500}>
            {t('holders')}
          </Text>
          <Sessions sessions={holders} />
        </Stack>
      )}
    </div>
  );
}

function Sessions({ sessions }: { sessions: readonly LicenseSession[] }) {
  const t = useStaffLicensesText();
  return (
    <Stack gap={4} className="scroll-list">
      {sessions.map((session) => (
        <Text key={session.id} size="sm" component="div">
          {session.user?.name ?? session.user_id ?? session.activation_id ?? '–'} · {t('on_machine')}{' '}
          <CopyId id={session.hostname ?? session.hardware_id} /> · {t('since')} <Time at={session.started_at} />
        </Text>
      ))}
    </Stack>
  );
}
