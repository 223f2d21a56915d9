import { Children, cloneElement, isValidElement, type ReactNode } from 'react';
import { Scripts } from 'react-router';

/**
 * The scripts of the page, fetched after what is to be seen: the page can be read and used before they run. React Router gives no way to
 * say so, hence its elements are taken as it makes them and told here.
 */
export function LateScripts() {
  return later(Scripts({}));
}

function later(node: ReactNode): ReactNode {
  return Children.map(node, (child) => {
    if (!isValidElement<{ rel?: string; fetchPriority?: string; children?: ReactNode }>(child)) return child;
    if (child.props.rel === 'modulepreload') return cloneElement(child, { fetchPriority: 'low' });
    return child.props.children === undefined ? child : cloneElement(child, undefined, later(child.props.children));
  });
}
