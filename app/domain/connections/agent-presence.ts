import type { ConnectionStatus } from '#app/contracts/statuses.ts';

/** The words for the presence of an agent. */
export type AgentPresence = 'online' | 'offline' | 'processing' | 'idle';

/** Without a call for this long a reachable agent is idle. */
export const IDLE_AFTER_MS = 15 * 60_000;

/** Offline: not connected. Processing: a step is calling it. Online: called lately. Idle: reachable, and nothing asked of it. */
export function agentPresence(agent: { status: ConnectionStatus; busy: number; lastCallAt: Date | null }, now: Date): AgentPresence {
  if (agent.status !== 'connected') return 'offline';
  if (agent.busy > 0) return 'processing';
  return agent.lastCallAt !== null && now.getTime() - agent.lastCallAt.getTime() < IDLE_AFTER_MS ? 'online' : 'idle';
}
