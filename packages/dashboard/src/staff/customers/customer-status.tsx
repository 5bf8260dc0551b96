import type { OperatedOrganization } from '@seathold/client';
import { Status } from '../../ui/index.ts';
import { useCustomersText } from './messages.ts';

/** Whether a customer can use the service. */
export function CustomerStatus({ status }: Pick<OperatedOrganization, 'status'>) {
  const t = useCustomersText();
  return <Status tone={status === 'active' ? 'success' : 'danger'}>{t(status)}</Status>;
}
