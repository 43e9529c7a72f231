// A program in place of a Python interpreter: it has a server of warm_python.py run what it is asked for.
//
//   warm_python [-B] (-c TEXT | SCRIPT) [ARGUMENT...]
//
// WARM_PYTHON_SERVER names the socket of the server. Arguments, environment, current folder and standard files of this
// program are those of the text, which runs in a fork of the server; so are signals, and the status at the end. When
// this program is killed, so is the fork. Without a server, with other options, or if the environment changes how an
// interpreter starts, this program becomes the interpreter that the build has found.

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int server = -1;

static void pass(int number) {
  const int before = errno;
  const char byte = char(number);
  (void)!write(server, &byte, 1);
  errno = before;
}

/// Whether a fork of the server differs in nothing from an interpreter that would start here.
static bool canFork(char **arguments) {
  char **first = arguments + 1;
  if (*first && std::strcmp(*first, "-B") == 0)
    ++first;
  if (!*first)
    return false;
  // A script may also be a folder or an archive, which have a main program in them.
  const size_t size = std::strlen(*first);
  struct stat status = {};
  const bool isScript =
      size > 3 && std::strcmp(*first + size - 3, ".py") == 0 && stat(*first, &status) == 0 && S_ISREG(status.st_mode);
  if (std::strcmp(*first, "-c") == 0 ? !first[1] : **first == '-' || !isScript)
    return false;
  for (char **variable = environ; *variable; ++variable) {
    const std::string name(*variable, std::strcspn(*variable, "="));
    if (name.rfind("LD_", 0) == 0 || (name.rfind("PYTHON", 0) == 0 && name != "PYTHONDONTWRITEBYTECODE"))
      return false;
  }
  for (int file = 0; file < 3; ++file)
    if (fcntl(file, F_GETFD) < 0)
      return false;
  return true;
}

/// A connection to the server, or -1.
static int reach() {
  const char *path = std::getenv("WARM_PYTHON_SERVER");
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (!path || std::strlen(path) >= sizeof address.sun_path)
    return -1;
  std::strcpy(address.sun_path, path);
  const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0 || connect(connection, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
    return -1;
  return connection;
}

/// Sends the size of the text with the files 0 to 2 and the current folder, then the text.
static bool ask(const std::string &text) {
  int files[4] = {0, 1, 2, open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (files[3] < 0)
    return false;
  uint32_t size = uint32_t(text.size());
  iovec part = {&size, sizeof size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof files)] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof files);
  std::memcpy(CMSG_DATA(header), files, sizeof files);
  if (sendmsg(server, &message, MSG_NOSIGNAL) != ssize_t(sizeof size))
    return false;
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t count = send(server, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count < 0)
      return false;
    sent += size_t(count);
  }
  close(files[3]);
  return true;
}

int main(int count, char **arguments) {
  if (canFork(arguments))
    server = reach();
  if (server < 0) {
    arguments[0] = const_cast<char *>(OPC_PYTHON);
    execv(OPC_PYTHON, arguments);
    std::perror(OPC_PYTHON);
    return 127;
  }
  // The text holds numbers, arguments and variables, each ended by a zero.
  const mode_t mask = umask(0);
  umask(mask);
  std::string text = std::to_string(mask) + '\0' + std::to_string(count - 1) + '\0';
  for (char **argument = arguments + 1; *argument; ++argument)
    text.append(*argument).push_back('\0');
  for (char **variable = environ; *variable; ++variable)
    text.append(*variable).push_back('\0');
  if (!ask(text)) {
    std::fprintf(stderr, "warm_python: the server does not listen: %s\n", std::strerror(errno));
    return 70;
  }
  // After the text, each byte is a signal.
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
    if (std::signal(number, SIG_IGN) != SIG_IGN)
      std::signal(number, pass);
  for (int file = 0; file < 3; ++file)
    close(file);
  int32_t status = 0;
  ssize_t got = 0;
  do
    got = recv(server, &status, sizeof status, MSG_WAITALL);
  while (got < 0 && errno == EINTR);
  if (got != ssize_t(sizeof status))
    _exit(70);
  if (WIFSIGNALED(status)) {
    std::signal(WTERMSIG(status), SIG_DFL);
    std::raise(WTERMSIG(status));
  }
  _exit(WEXITSTATUS(status));
}
