export { FilterForm } from './filter-form.tsx';
export { GuardedButton } from './guarded-button.tsx';
export { JsonField, parseObject } from './json-field.tsx';
export { CustomerId, LinkedId, NamedId } from './linked-id.tsx';
export { fromLocalInput, startOfDay, toLocalInput } from './local-time.ts';
export { useStaffText } from './messages.ts';
export { ReasonDialog } from './reason-dialog.tsx';
export { WithDetail } from './with-detail.tsx';
