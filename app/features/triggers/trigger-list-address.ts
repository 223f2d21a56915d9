import { href } from 'react-router';
import type { ListAddress } from '#app/domain/web/list-address.ts';

export const TRIGGERS: ListAddress = {
  name: 'triggers',
  path: href('/dashboard/workflows/advanced'),
  params: ['q', 'status', 'kind', 'sort'],
};
