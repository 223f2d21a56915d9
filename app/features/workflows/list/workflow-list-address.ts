import { href } from 'react-router';
import type { ListAddress } from '#app/domain/web/list-address.ts';

export const WORKFLOWS: ListAddress = { name: 'workflows', path: href('/dashboard/workflows'), params: ['q', 'owner', 'status', 'sort'] };
