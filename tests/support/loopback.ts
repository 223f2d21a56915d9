import { NO_PRIVATE_NETWORK, readPrivateNetwork } from '#app/platform/http/private-network.server.ts';

/** Peers of the tests stand on this machine; nothing else inside may be reached. As the setting, and as it is read. */
export const LOOPBACK_SETTING = '127.0.0.0/8,::1';
/** The list of a workspace that may reach them. */
export const LOOPBACK_LIST = LOOPBACK_SETTING.split(',');
export const LOOPBACK = readPrivateNetwork(LOOPBACK_SETTING) ?? NO_PRIVATE_NETWORK;
