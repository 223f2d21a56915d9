import { type Client, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { PeerCapability } from '#app/contracts/peer.ts';
import { listTooLong } from '#app/engine/connections/assert-listable.ts';
import { CallTime } from '#app/engine/connections/call-time.ts';
import { timedOut } from '#app/engine/connections/peer-failure.ts';
import { capabilityOfTool } from '#app/engine/mcp/mcp-capability.ts';

/** The limit for connecting and listing, whatever the step's own limit. */
export const CONNECT_TIMEOUT_MS = 15_000;
/** A tool list this young is used for a call: one request serves a burst, and a change shows at the next call. */
export const LIST_FRESH_MS = 250;
/** A server may say for how long its list holds (2026-07-28, Caching); no longer than this, since what it says now is what was approved. */
const MAX_LIST_FRESH_MS = 60_000;

/** The SDK hands on what a server says of its answer, and has no type for it. */
const cacheHintSchema = z.looseObject({ ttlMs: z.number().min(0) });

export type ToolList = { freshMs: number; capabilities: PeerCapability[]; byName: Map<string, PeerCapability> };

/** All pages in the time of one connect: each alone could be slow without an end. */
export async function readToolList(client: Client): Promise<ToolList> {
  const time = new CallTime(CONNECT_TIMEOUT_MS);
  try {
    const answer = await client.listTools(undefined, {
      cacheMode: 'refresh',
      timeout: CONNECT_TIMEOUT_MS,
      maxTotalTimeout: CONNECT_TIMEOUT_MS,
      signal: time.signal,
    });
    const capabilities = answer.tools.map(capabilityOfTool);
    const { ttlMs } = cacheHintSchema.safeParse(answer).data ?? { ttlMs: 0 };
    return {
      freshMs: Math.min(MAX_LIST_FRESH_MS, Math.max(LIST_FRESH_MS, ttlMs)),
      capabilities,
      byName: new Map(capabilities.map((capability) => [capability.name, capability])),
    };
  } catch (error) {
    if (time.signal.aborted) throw timedOut(CONNECT_TIMEOUT_MS, error);
    if (SdkError.isInstance(error) && error.code === SdkErrorCode.ListPaginationExceeded) throw listTooLong(error);
    throw error;
  } finally {
    time.end();
  }
}
