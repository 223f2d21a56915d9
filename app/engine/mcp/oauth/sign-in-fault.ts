import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  OAuthErrorCode,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { SignInError, type SignInFault } from '#app/contracts/sign-ins.ts';
import { outgoingCallErrorIn } from '#app/domain/connections/outgoing-call-error.ts';

/** The fault behind what the SDK or the fetch threw; `otherwise` where neither has a name for it. */
export function signInError(error: unknown, otherwise: SignInFault): SignInError {
  return error instanceof SignInError ? error : new SignInError(faultOf(error) ?? otherwise, { cause: error });
}

function faultOf(error: unknown): SignInFault | null {
  const outgoing = outgoingCallErrorIn(error);
  if (outgoing !== null) return outgoing.failure === 'unreachable' || outgoing.failure === 'timeout' ? 'unreachable' : 'metadataRefused';
  if (IssuerMismatchError.isInstance(error) || AuthorizationServerMismatchError.isInstance(error)) return 'issuerMismatch';
  if (InsecureTokenEndpointError.isInstance(error)) return 'notSecure';
  if (RegistrationRejectedError.isInstance(error)) return 'registrationRefused';
  if (OAuthError.isInstance(error)) return error.code === OAuthErrorCode.AccessDenied ? 'denied' : 'exchangeRefused';
  return null;
}
