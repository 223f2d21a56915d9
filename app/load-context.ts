import { RouterContextProvider } from 'react-router';
import type { Arrival } from '#app/platform/http/arrival.ts';
import { arrivalContext, clientContext, nonceContext, requestIdContext, type Services, servicesContext } from '#app/request-context.ts';

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
