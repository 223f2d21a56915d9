import { redirect } from 'react-router';
import type { SignInFault } from '#app/contracts/sign-ins.ts';
import { signInPageOf } from '#app/features/connections/sign-in/sign-in-address.ts';

/** Leads to the page of the sign-in, which says what went wrong. What the other side wrote is never part of that. */
export const redirectToFault = (connection: string, fault: SignInFault | 'expired') =>
  redirect(`${signInPageOf(connection)}?fault=${fault}`, { status: 303 });

const MESSAGES: Readonly<Record<SignInFault, string>> = {
  denied: 'connection.signInDenied',
  issuerMismatch: 'connection.signInIssuerMismatch',
  noMetadata: 'connection.signInNoMetadata',
  metadataRefused: 'connection.signInMetadataRefused',
  metadataWrong: 'connection.signInMetadataWrong',
  notSecure: 'connection.signInNotSecure',
  registrationRefused: 'connection.signInRegistrationRefused',
  exchangeRefused: 'connection.signInExchangeRefused',
  unreachable: 'connection.signInUnreachable',
};

/** The same beside the address of a form. */
export const faultMessage = (fault: SignInFault) => MESSAGES[fault];
