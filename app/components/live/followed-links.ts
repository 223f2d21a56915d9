import type { MouseEvent } from 'react';
import { type NavigateOptions, useNavigate } from 'react-router';

type Click = Pick<globalThis.MouseEvent, 'target' | 'button' | 'defaultPrevented' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>;

/** The link within the product that is followed by this click; null where the browser follows it, or something else has been done with it. */
export function followedLink(event: Click): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  return link === null || !plain || event.defaultPrevented || link.target !== '' || link.origin !== window.location.origin ? null : link;
}

/** Has the plain links inside of an element followed as the router's own would be. A place on the same page is left to the browser. */
export function useFollowedLinks(options: Pick<NavigateOptions, 'preventScrollReset'>): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const link = followedLink(event);
    if (link === null || link.getAttribute('href')?.startsWith('#') === true) return;
    event.preventDefault();
    void navigate(`${link.pathname}${link.search}${link.hash}`, { ...options, replace: link.href === window.location.href });
  };
}
