import { z } from 'zod';

const MAX_NAME_LENGTH = 80;

export const nameSchema = z.object({ name: z.string().trim().min(1).max(MAX_NAME_LENGTH) });

export const switchWorkspaceSchema = z.object({ workspaceId: z.uuid(), next: z.string().optional() });
