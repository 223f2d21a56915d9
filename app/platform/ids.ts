import { v7 } from 'uuid';
import type { NewId } from '#app/contracts/ports.ts';

/** UUIDv7 (RFC 9562): made here and not by the database, which has no generator for it before PostgreSQL 18. */
export const newId: NewId = () => v7();
