// Episodes of one group began in the same state; what is compared is compared within groups.

/** A number of each item by the item's group; groups and numbers in the order of the items. */
export function byGroup<T extends { readonly groupId: string }>(
  items: readonly T[],
  numberOf: (item: T) => number,
): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const item of items) {
    const own = groups.get(item.groupId);
    if (own) own.push(numberOf(item));
    else groups.set(item.groupId, [numberOf(item)]);
  }
  return groups;
}
