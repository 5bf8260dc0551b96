import { Anchor, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, eventTypes } from '../api/index.ts';
import { Dialog, FormDialog, Problem, useAction } from '../ui/index.ts';
import { useEventsText } from './messages.ts';

/** Sends an event of a chosen type to one of the organization's endpoints, without a real change. */
export function TestEventDialog({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const t = useEventsText();
  const types = useQuery({ ...eventTypes, enabled: isOpen });
  const endpoints = useQuery({
    queryKey: ['webhooks', 'choices'],
    queryFn: async () => (await api().webhooks.list({ limit: 50 })).data,
    enabled: isOpen,
  });
  const send = useAction(({ id, type }: { id: string; type: string }) => api().webhooks.test(id, { type }), {
    refreshes: [['webhooks']],
    says: t('tested'),
  });
  const failed = [types, endpoints].find(({ isLoadingError }) => isLoadingError);
  if (endpoints.data?.length === 0) {
    return (
      <Dialog opened={isOpen} onClose={close} title={t('test')} closeButtonProps={{ 'aria-label': t('close') }}>
        <Stack gap="md">
          <Text size="sm">{t('no_endpoints')}</Text>
          <Group justify="flex-end">
            <Button component={Link} to="/webhooks">
              {t('add_endpoint')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t('test')}
      isOpen={isOpen}
      close={close}
      submit={t('test')}
      action={send}
      isIdle={types.data === undefined || endpoints.data === undefined}
      read={(form) => ({ id: String(form.get('endpoint')), type: String(form.get('type')) })}
    >
      <Text size="sm">
        {t('test_text')}{' '}
        <Anchor component={Link} to="/webhooks" size="sm" underline="always">
          {t('to_endpoints')}
        </Anchor>
      </Text>
      {failed !== undefined && <Problem error={failed.error} retry={() => void failed.refetch()} />}
      <NativeSelect
        label={t('endpoint')}
        name="endpoint"
        data={endpoints.data?.map(({ id, url }) => ({ value: id, label: url })) ?? []}
      />
      <NativeSelect label={t('type')} name="type" data={types.data?.data.map(({ type }) => type) ?? []} />
    </FormDialog>
  );
}
