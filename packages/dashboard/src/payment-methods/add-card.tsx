import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { api } from '../api/index.ts';
import { useFacts } from '../app/facts.ts';
import { CardFields } from '../billing/card-fields.tsx';
import { CHANGED_BY_PAYMENTS } from '../billing/changed-by-payments.ts';
import { createTestCard } from '../billing/create-test-card.ts';
import { readTestCard, type TestCard } from '../billing/test-cards.ts';
import { usePaymentFailure } from '../billing/use-payment-failure.ts';
import { Code, Dialog, FormDialog, useAction } from '../ui/index.ts';
import { cardName } from './card-name.ts';
import { usePaymentMethodsText } from './messages.ts';

interface AddCardProps {
  isOpen: boolean;
  close: () => void;
}

/** The dialog that adds a card: a test card in the sandbox; in production, only the provider may see its number. */
export function AddCard(props: AddCardProps) {
  const { environment } = useFacts();
  return environment === 'sandbox' ? <AddTestCard {...props} /> : <AddByApi {...props} />;
}

function AddTestCard({ isOpen, close }: AddCardProps) {
  const t = usePaymentMethodsText();
  const add = useAction(
    async ({ card, isDefault }: { card: TestCard; isDefault: boolean }) =>
      api().paymentMethods.attach({ payment_method_id: await createTestCard(card), set_default: isDefault }),
    { refreshes: CHANGED_BY_PAYMENTS, says: (method) => t('added_card', { card: cardName(method) }) },
  );
  return (
    <FormDialog
      title={t('add')}
      isOpen={isOpen}
      close={close}
      submit={t('add')}
      action={add}
      explain={usePaymentFailure()}
      read={(form) => ({ card: readTestCard(form), isDefault: form.get('set_default') !== null })}
    >
      <CardFields />
      <Checkbox name="set_default" label={t('set_default')} description={t('set_default_hint')} />
    </FormDialog>
  );
}

function AddByApi({ isOpen, close }: AddCardProps) {
  const t = usePaymentMethodsText();
  return (
    <Dialog opened={isOpen} onClose={close} title={t('add')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack gap="md">
        <Text size="sm">{t('production_text')}</Text>
        <Code text={attachCommand()} />
        <Group justify="flex-end">
          <Button onClick={close}>{t('close')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function attachCommand(): string {
  return [
    `curl -X POST ${window.location.origin}/v1/payment-methods \\`,
    '  -H "Authorization: Bearer $SEATHOLD_TOKEN" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"payment_method_id": "pm_…", "set_default": true}'`,
  ].join('\n');
}
