import { z } from 'zod';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';

export const NOTHING_PRIVATE: WorkspaceNetwork = [];

const networkSchema = z.union([z.literal('instance'), z.array(z.string())]);

/** Reads the list as a workspace's row has it. What cannot be read opens nothing. */
export function readWorkspaceNetwork(stored: unknown): WorkspaceNetwork {
  const parsed = networkSchema.safeParse(stored);
  return parsed.success ? parsed.data : NOTHING_PRIVATE;
}
