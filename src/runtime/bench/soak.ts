export async function soakCommand(updates: number, print: (text: string) => void): Promise<number> {
  print(`${updates}`);
  return 0;
}
