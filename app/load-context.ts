import { RouterContextProvider } from 'react-router';
import { arrivalContext, clientContext, nonceContext, requestIdContext, type Services, servicesContext } from '#app/request-context.ts';

/** What the web server knows of one request before any route has run. */
export type Arrival = {
  requestId: string;
  nonce: string;
  /** Address of the other end, as far as `TRUST_PROXY` lets it be known. */
  address: string;
  /** True when the person's own connection is encrypted. */
  secure: boolean;
  host: string;
  socketAddress: string;
  forwarded: boolean;
};

/** The context that loaders, actions and middleware of this request start with. */
export function createLoadContext(services: Services, arrival: Arrival): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(servicesContext, services);
  context.set(clientContext, { address: arrival.address, secure: arrival.secure });
  context.set(nonceContext, arrival.nonce);
  context.set(requestIdContext, arrival.requestId);
  context.set(arrivalContext, { host: arrival.host, socketAddress: arrival.socketAddress, forwarded: arrival.forwarded });
  return context;
}
