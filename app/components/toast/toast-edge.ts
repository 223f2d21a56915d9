import { useLocation } from 'react-router';

/** The links of pages for people who were refused, 'Forgot password?' first, stand at the foot. */
const WITH_FOOT = /^\/(?:auth|reset-password)(?:\/|$)/;
/** An approval has its answer at the foot of the screen. */
const WITH_FOOT_AND_BAR = /^\/dashboard\/approvals\//;
export const BAR_PX = 56;

/** The edge of the screen at which messages stand, so that none covers what its reader is about to press. */
export function useToastEdge(): 'top' | 'below bar' | 'bottom' {
  const { pathname } = useLocation();
  if (WITH_FOOT.test(pathname)) return 'top';
  return WITH_FOOT_AND_BAR.test(pathname) ? 'below bar' : 'bottom';
}
