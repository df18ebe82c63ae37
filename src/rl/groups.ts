// Episodes of one group began in the same state; what is compared is compared within groups.

/** What `of` gives for each item, by the item's group; groups and results in the order of the items. */
export function byGroup<T extends { readonly groupId: string }, R>(
  items: readonly T[],
  of: (item: T) => R,
): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const item of items) {
    const own = groups.get(item.groupId);
    if (own) own.push(of(item));
    else groups.set(item.groupId, [of(item)]);
  }
  return groups;
}
