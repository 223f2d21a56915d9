import type { RouterContextProvider } from 'react-router';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { ownSecondFactor, type SecondFactor } from '#app/engine/account/own-second-factor.ts';

export type FactorSettings = SecondFactor & { backend: 'embedded' | 'hosted' };

export async function loadFactorSettings(context: Readonly<RouterContextProvider>): Promise<FactorSettings> {
  const { member, read } = context.get(memberContext);
  return { ...(await read((db) => ownSecondFactor(db, member.sessionId))), backend: context.get(servicesContext).identity.mode };
}
