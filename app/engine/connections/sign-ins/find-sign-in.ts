import type { Engine } from '#app/contracts/engine.ts';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import type { SignInChallenge, SignInOffer } from '#app/contracts/sign-ins.ts';
import { SignInError } from '#app/contracts/sign-ins.ts';
import { PeerError } from '#app/engine/connections/peer.ts';

type Asked = { endpoint: string; privateNetwork: WorkspaceNetwork };

/** The way to sign in that an MCP server names when it is called without a token; undefined: it answers, or names nothing. */
export async function challengeOf({ inspectPeer }: Pick<Engine, 'inspectPeer'>, asked: Asked): Promise<SignInChallenge | undefined> {
  try {
    await inspectPeer({ kind: 'mcp', ...asked, credential: null });
    return undefined;
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    return error.failure.challenge;
  }
}

/**
 * Where people sign in to a server that has refused a call without a token. Null: it refused for something else, or wants a key.
 * @throws SignInError where it names a way that leads nowhere
 */
export async function findSignIn({ signIns }: Pick<Engine, 'signIns'>, asked: Asked, refused: unknown): Promise<SignInOffer | null> {
  const challenge = refused instanceof PeerError ? refused.failure.challenge : undefined;
  if (challenge === undefined) return null;
  try {
    return await signIns.discover({ ...asked, challenge });
  } catch (error) {
    if (error instanceof SignInError && error.fault === 'noMetadata') return null;
    throw error;
  }
}

/** The host where people sign in to a server that is known to take nothing else; its own where it does not say so now: it is asked again with the sign-in. */
export async function signInHost(engine: Pick<Engine, 'inspectPeer' | 'signIns'>, asked: Asked): Promise<string> {
  try {
    const challenge = await challengeOf(engine, asked);
    return (await engine.signIns.discover({ ...asked, ...(challenge === undefined ? {} : { challenge }) })).host;
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    return new URL(asked.endpoint).host;
  }
}
