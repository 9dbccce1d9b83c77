
// memfs is the file system of a program in Go compiled to WebAssembly, in memory: what syscall of Go calls of node's fs. Paths are
// absolute; there are no links, owners and locks. Callbacks are called at once.
const memfs = (() => {
  const flags = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
  const directory = 0o040000, regular = 0o100000;
  let inodes = 0;

  const fault = (code) => Object.assign(new Error(code), { code });
  const node = (mode) => ({ mode, ino: ++inodes, time: Date.now(), bytes: new Uint8Array(0), size: 0, entries: (mode & directory) ? new Map() : null });
  const root = node(directory | 0o777);
  const open = new Map(); // by descriptor: {node, flags, at}
  let last = 100; // descriptor

  const parts = (path) => {
    const names = [];
    for (const name of String(path).split("/")) {
      if (name === "..") names.pop();
      else if (name !== "" && name !== ".") names.push(name);
    }
    return names;
  };

  // find returns the node of a path, or undefined if its last name does not exist.
  const walk = (names) => names.reduce((at, name) => {
    if (!at) throw fault("ENOENT");
    if (!at.entries) throw fault("ENOTDIR");
    return at.entries.get(name);
  }, root);
  const find = (path) => walk(parts(path));
  const existing = (path) => {
    const found = find(path);
    if (!found) throw fault("ENOENT");
    return found;
  };
  // place returns the directory of a path and its last name.
  const place = (path) => {
    const names = parts(path), name = names.pop();
    if (name === undefined) throw fault("EEXIST");
    const dir = walk(names);
    if (!dir) throw fault("ENOENT");
    if (!dir.entries) throw fault("ENOTDIR");
    return { dir, name };
  };
  const file = (fd) => {
    const f = open.get(fd);
    if (!f) throw fault("EBADF");
    return f;
  };

  const resize = (n, size) => {
    if (size > n.bytes.length) {
      const grown = new Uint8Array(Math.max(size, 2 * n.bytes.length, 512));
      grown.set(n.bytes.subarray(0, n.size));
      n.bytes = grown;
    } else if (size < n.size) {
      n.bytes.fill(0, size, n.size);
    }
    n.size = size;
    n.time = Date.now();
  };

  const stat = (n) => ({
    dev: 1, ino: n.ino, mode: n.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size: n.entries ? 0 : n.size, blksize: 4096, blocks: Math.ceil(n.size / 512),
    atimeMs: n.time, mtimeMs: n.time, ctimeMs: n.time, isDirectory: () => n.entries !== null,
  });
  const chmod = (n, mode) => void (n.mode = (n.mode & ~0o7777) | (mode & 0o7777));
  const remove = (path, isDirectory) => {
    const { dir, name } = place(path), n = dir.entries.get(name);
    if (!n) throw fault("ENOENT");
    if (isDirectory && !n.entries) throw fault("ENOTDIR");
    if (!isDirectory && n.entries) throw fault("EISDIR");
    if (n.entries?.size) throw fault("ENOTEMPTY");
    dir.entries.delete(name);
  };

  const methods = {
    open(path, how, mode) {
      let n = find(path);
      if (n && (how & flags.O_CREAT) && (how & flags.O_EXCL)) throw fault("EEXIST");
      if (!n && !(how & flags.O_CREAT)) throw fault("ENOENT");
      if (!n) {
        const { dir, name } = place(path);
        dir.entries.set(name, n = node(regular | (mode & 0o777)));
      }
      if (n.entries && (how & (flags.O_WRONLY | flags.O_RDWR))) throw fault("EISDIR");
      if (!n.entries && (how & flags.O_DIRECTORY)) throw fault("ENOTDIR");
      if (how & flags.O_TRUNC) resize(n, 0);
      open.set(++last, { node: n, flags: how, at: 0 });
      return last;
    },
    close(fd) {
      file(fd);
      open.delete(fd);
    },
    read(fd, buffer, offset, length, position) {
      const f = file(fd), n = f.node, at = position ?? f.at;
      if (n.entries) throw fault("EISDIR");
      const end = Math.max(at, Math.min(n.size, at + length));
      buffer.set(n.bytes.subarray(at, end), offset);
      if (position === null) f.at = end;
      return end - at;
    },
    write(fd, buffer, offset, length, position) {
      if (fd === 1 || fd === 2) return fs.writeSync(fd, buffer.subarray(offset, offset + length));
      const f = file(fd), n = f.node;
      if (!(f.flags & (flags.O_WRONLY | flags.O_RDWR))) throw fault("EBADF");
      const at = (f.flags & flags.O_APPEND) ? n.size : position ?? f.at;
      if (at + length > n.size) resize(n, at + length);
      n.bytes.set(buffer.subarray(offset, offset + length), at);
      n.time = Date.now();
      if (position === null) f.at = at + length;
      return length;
    },
    stat: (path) => stat(existing(path)),
    lstat: (path) => stat(existing(path)),
    fstat: (fd) => stat(file(fd).node),
    mkdir(path, mode) {
      const { dir, name } = place(path);
      if (dir.entries.has(name)) throw fault("EEXIST");
      dir.entries.set(name, node(directory | (mode & 0o777)));
    },
    readdir(path) {
      const n = existing(path);
      if (!n.entries) throw fault("ENOTDIR");
      return [...n.entries.keys()].sort();
    },
    rename(from, to) {
      const source = place(from), target = place(to), n = source.dir.entries.get(source.name);
      if (!n) throw fault("ENOENT");
      const old = target.dir.entries.get(target.name);
      if (old === n) return;
      if (n.entries && `${parts(to).join("/")}/`.startsWith(`${parts(from).join("/")}/`)) throw fault("EINVAL");
      if (old?.entries && !n.entries) throw fault("EISDIR");
      if (old && n.entries && !old.entries) throw fault("ENOTDIR");
      if (old?.entries?.size) throw fault("ENOTEMPTY");
      source.dir.entries.delete(source.name);
      target.dir.entries.set(target.name, n);
    },
    unlink: (path) => remove(path, false),
    rmdir: (path) => remove(path, true),
    truncate: (path, length) => resize(existing(path), length),
    ftruncate: (fd, length) => resize(file(fd).node, length),
    chmod: (path, mode) => chmod(existing(path), mode),
    fchmod: (fd, mode) => chmod(file(fd).node, mode),
    utimes: (path, atime, mtime) => void (existing(path).time = mtime * 1000),
    fsync: (fd) => void file(fd),
  };
  for (const name of ["link", "symlink", "readlink", "chown", "fchown", "lchown"]) {
    methods[name] = () => { throw fault(name === "readlink" ? "EINVAL" : "ENOSYS"); };
  }

  // fs has the methods with a callback as their last argument.
  const fs = { constants: flags, written: "", writeSync(fd, buffer) { fs.written = (fs.written + new TextDecoder().decode(buffer)).slice(-100000); return buffer.length; } };
  for (const [name, method] of Object.entries(methods)) {
    fs[name] = (...args) => {
      const callback = args.pop();
      let result;
      try {
        result = method(...args);
      } catch (err) {
        if (!err.code) err.code = err instanceof RangeError ? "ENOSPC" : "EIO";
        return callback(err);
      }
      return result === undefined ? callback(null) : callback(null, result);
    };
  }

  return {
    fs,
    // files returns the content of the files below a directory, by their path.
    files(below) {
      const all = {};
      const add = (path, n) => {
        if (!n.entries) all[path] = n.bytes.slice(0, n.size);
        else for (const [name, entry] of n.entries) add(`${path}/${name}`, entry);
      };
      const n = find(below);
      if (n) add(parts(below).map((name) => `/${name}`).join(""), n);
      return all;
    },
    // put writes files with their directories.
    put(files) {
      for (const [path, bytes] of Object.entries(files)) {
        const names = parts(path), name = names.pop();
        let dir = root;
        for (const part of names) {
          if (!dir.entries.has(part)) dir.entries.set(part, node(directory | 0o777));
          dir = dir.entries.get(part);
        }
        const n = node(regular | 0o666);
        n.bytes = bytes;
        n.size = bytes.length;
        dir.entries.set(name, n);
      }
    },
  };
})();
