import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, useHasRole } from '../api/index.ts';
import { useFacts } from '../app/facts.ts';
import { Dialog, Problem, useAction } from '../ui/index.ts';
import { CHANGED_BY_PAYMENTS } from './changed-by-payments.ts';
import { reasonOf } from './decline-reasons.ts';
import { useBillingText } from './messages.ts';

interface AuthenticationDialogProps {
  /** The payment to authenticate; undefined if there is none. */
  clientSecret: string | undefined;
  subscriptionId: string;
  close: () => void;
}

/** The page of the customer's bank. In the sandbox, the person acts as the customer. */
export function AuthenticationDialog({ clientSecret, subscriptionId, close }: AuthenticationDialogProps) {
  const t = useBillingText();
  const navigate = useNavigate();
  const { environment, stripe_publishable_key: key } = useFacts();
  const isSandbox = environment === 'sandbox';
  const isAdmin = useHasRole('admin');
  return (
    <Dialog
      opened={clientSecret !== undefined}
      onClose={close}
      title={t('authenticate')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('later') }}
    >
      {isSandbox && isAdmin && clientSecret !== undefined ? (
        <PlayedBank clientSecret={clientSecret} close={close} />
      ) : (
        <Stack gap="md">
          <Text size="sm">
            {t(isSandbox ? 'authenticate_forbidden' : key === null ? 'authenticate_elsewhere' : 'authenticate_bank')}
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('later')}
            </Button>
            {key !== null && (
              <Button
                onClick={() => void navigate({ href: `/payment-methods/confirm?subscription=${subscriptionId}` })}
                data-autofocus
              >
                {t('authenticate')}
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

function PlayedBank({ clientSecret, close }: { clientSecret: string; close: () => void }) {
  const t = useBillingText();
  const confirm = useAction(
    (outcome: 'succeed' | 'fail') => api().sandbox.confirmPayment({ client_secret: clientSecret, outcome }),
    {
      refreshes: CHANGED_BY_PAYMENTS,
      says: ({ status }) => t(status === 'succeeded' ? 'payment_succeeded' : 'payment_not_made'),
      succeeds: ({ status }) => status === 'succeeded' && close(),
    },
  );
  const declined = confirm.data?.status === 'declined' ? (confirm.data.decline_code ?? '') : undefined;
  return (
    <Stack gap="md">
      <Text size="sm">{t('authenticate_text')}</Text>
      {declined !== undefined && (
        <div className="problem" role="alert">
          <Text size="sm">{`${t(`declined_${reasonOf(declined)}`)} ${t('nothing_charged')}`}</Text>
        </div>
      )}
      {confirm.isError && <Problem error={confirm.error} />}
      <Group justify="flex-end" gap="xs">
        {confirm.isSuccess || confirm.isError ? (
          <Button onClick={close}>{t('close')}</Button>
        ) : (
          <>
            <Button variant="default" disabled={confirm.isPending} onClick={() => confirm.mutate('fail')}>
              {t('authenticate_refuse')}
            </Button>
            <Button loading={confirm.isPending} onClick={() => confirm.mutate('succeed')} data-autofocus>
              {t('authenticate_approve')}
            </Button>
          </>
        )}
      </Group>
    </Stack>
  );
}
