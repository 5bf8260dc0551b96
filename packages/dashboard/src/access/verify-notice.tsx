import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { actingFor, personalApi, useCurrentUser } from '../api/index.ts';
import { useFacts } from '../app/facts.ts';
import { Notice, Problem, useAction } from '../ui/index.ts';
import { useAccessText } from './messages.ts';

/** Asks the person to verify their address, until they have. */
export function VerifyNotice() {
  const t = useAccessText();
  const { mails_to_folder: isFolder } = useFacts();
  const { email, email_verified: isVerified } = useCurrentUser();
  const send = useAction(() => personalApi().auth.sendEmailVerification(), { says: t('sent_again') });
  if (isVerified || actingFor !== undefined) {
    return null;
  }
  return (
    <Notice
      tone="warning"
      title={t('not_verified')}
      text={`${t('not_verified_hint', { email })}${isFolder ? ` ${t('mail_folder')}` : ''}`}
    >
      <Group gap="xs">
        <Button size="xs" variant="default" component={Link} to="/verify-email">
          {t('enter_code')}
        </Button>
        <Button size="xs" variant="default" loading={send.isPending} onClick={() => send.mutate(undefined)}>
          {t('send_again')}
        </Button>
      </Group>
      {send.isError && <Problem error={send.error} />}
    </Notice>
  );
}
