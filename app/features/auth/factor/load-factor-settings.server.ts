import type { RouterContextProvider } from 'react-router';
import { memberContext } from '#app/contracts/request-context.ts';
import { ownSecondFactor, type SecondFactor } from '#app/engine/account/own-second-factor.ts';

export type FactorSettings = SecondFactor;

export async function loadFactorSettings(context: Readonly<RouterContextProvider>): Promise<FactorSettings> {
  const { member, read } = context.get(memberContext);
  return read((db) => ownSecondFactor(db, member.sessionId));
}
